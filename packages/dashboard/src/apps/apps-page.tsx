import { useQuery } from "@tanstack/react-query";
import { appsQuery } from "../api/functions.ts";
import { PageHeader } from "../parts/page-header.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";

/** The apps that serve functions. */
export function AppsPage() {
  const apps = useQuery({ ...appsQuery(), refetchInterval: 5_000 });
  return (
    <>
      <PageHeader title="Apps" />
      {apps.isPending ? (
        <SkeletonRows rows={3} />
      ) : apps.isError ? (
        <ErrorState error={apps.error} onRetry={() => apps.refetch()} />
      ) : apps.data.data.length === 0 ? (
        <EmptyState title="No app has synced" command="svc dev -u http://localhost:3000/api/svc">
          Start an app that serves functions and tell the service where it is.
        </EmptyState>
      ) : (
        <ul>
          {apps.data.data.map((app) => (
            <li key={app.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-2">
              <span className="font-medium">{app.id}</span>
              <span className="font-mono text-xs break-all text-muted">{app.url}</span>
              <span className="flex-1" />
              <span className="tabular text-muted">{app.function_count} functions</span>
              <span className="text-muted">
                synced <Time at={app.synced_at} />
              </span>
              {app.error !== null && <p className="w-full text-failed">{app.error}</p>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
