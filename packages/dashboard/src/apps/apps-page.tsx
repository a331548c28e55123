import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type AppPage, appListQuery } from "../api/apps.ts";
import { useMay } from "../api/me.ts";
import { isBranchParent, OfOneBranch } from "../parts/branch-parent.tsx";
import { Button } from "../parts/button.tsx";
import { ListDetail } from "../parts/list-detail.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { usePageSearch } from "../parts/page-search.ts";
import { EmptyState } from "../parts/states.tsx";
import { apiCommand, mode } from "../place.ts";
import { AddAppDialog } from "./add-app-dialog.tsx";
import { AppPanel } from "./app-panel.tsx";
import { APP_COLUMNS, appRows } from "./app-rows.tsx";

/** How often the list is read anew: `svc dev` finds and syncs apps by itself. */
const REFRESH_MS = mode === "dev" ? 3_000 : 15_000;

/** The apps that serve functions, and the addresses where some should be. */
export function AppsPage() {
  const [search, change] = usePageSearch();
  const list = useInfiniteQuery({ ...appListQuery(), refetchInterval: REFRESH_MS });
  const mayManage = useMay("manage");
  const pages = list.data?.pages ?? [];
  const rows = appRows(
    pages.flatMap(({ data }) => data),
    pages[0]?.addresses ?? [],
  );
  const scan = pages[0]?.scan ?? null;
  const isParent = isBranchParent();
  const add = () => change({ add: "1" }, "push");

  return (
    <>
      <PageHeader title="Apps">
        {mayManage && !isParent && (
          <Button look="primary" icon={<Plus size={14} aria-hidden />} onClick={add}>
            Add by address
          </Button>
        )}
      </PageHeader>
      <ListDetail
        label="Apps"
        words={["app", "apps"]}
        list={list}
        rows={rows}
        columns={APP_COLUMNS}
        rowKey={({ key }) => key}
        param="app"
        panel={(open, onClose) => <AppPanel key={open.key} row={open} onClose={onClose} />}
        empty={<NoApps isParent={isParent} scan={scan} />}
        count={rows.filter(({ app }) => app !== null).length}
        below={
          <div className="max-w-3xl px-4 pb-4">
            <Looking scan={scan} />
          </div>
        }
      />
      {search.add !== undefined && mayManage && !isParent && (
        <AddAppDialog
          onClose={() => change({ add: undefined })}
          onAdded={(id) => change({ add: undefined, app: id })}
        />
      )}
    </>
  );
}

/** Where `svc dev` looks by itself. */
function Looking({ scan }: { scan: AppPage["scan"] }) {
  if (mode !== "dev") return null;
  if (scan === null) {
    return (
      <p className="text-xs text-muted">
        <code>--no-discovery</code> is set: only the addresses above are tried.
      </p>
    );
  }
  return (
    <p className="text-xs text-muted">
      New apps are looked for every {scan.interval_ms / 1_000} s on this machine, at{" "}
      <code className="break-words">{scan.paths.join(", ")}</code> of the ports{" "}
      <code className="break-words">{scan.ports.join(", ")}</code>. One elsewhere is added by its address.
    </p>
  );
}

function NoApps({ isParent, scan }: { isParent: boolean; scan: AppPage["scan"] }) {
  if (isParent) return <OfOneBranch what="Apps" />;
  if (mode === "dev") {
    return (
      <EmptyState
        title="No app has synced"
        command={apiCommand("v1/apps", { url: "http://localhost:3000/api/svc" })}
        action={<Looking scan={scan} />}
      >
        Start an app that serves functions on this machine: it is found by itself on common ports. If it is
        elsewhere, say where, here or with a command:
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No app has synced" command="curl -X PUT https://your-app.example.com/api/svc">
      Deploy an app with this service's address and signing key, and ask it to register its functions:
    </EmptyState>
  );
}
