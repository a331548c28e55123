import type { ReactNode } from "react";
import { ErrorState, Skeleton } from "./states.tsx";

interface Stats<T> {
  data: T | undefined;
  isError: boolean;
  error: Error | null;
  refetch(): unknown;
}

/** A chart of what was read: as high while it loads, and the API's sentence when it cannot be read. */
export function ChartState<T>({ stats, children }: { stats: Stats<T>; children(data: T): ReactNode }) {
  if (stats.data !== undefined) return children(stats.data);
  if (stats.isError) return <ErrorState error={stats.error} onRetry={() => stats.refetch()} />;
  return (
    <div className="flex h-[109px] flex-col justify-between">
      <Skeleton className="w-64" />
      <Skeleton className="h-16 w-full" />
    </div>
  );
}
