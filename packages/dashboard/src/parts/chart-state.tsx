import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Skeleton } from "./states.tsx";

interface Stats<T> {
  data: T | undefined;
  isError: boolean;
  error: Error | null;
  refetch(): unknown;
}

/** A chart of what was read: as high while it loads, and the API's sentence when it cannot be read. */
export function ChartState<T>({ stats, children }: { stats: Stats<T>; children(data: T): ReactNode }) {
  if (stats.data !== undefined) return children(stats.data);
  if (stats.isError) {
    return (
      <div role="alert" className="flex min-h-[109px] flex-wrap items-center gap-x-3 gap-y-2">
        <p className="flex min-w-0 items-start gap-2 break-words">
          <CircleAlert size={14} aria-hidden className="mt-0.5 shrink-0 text-failed" />
          The chart cannot be drawn. {stats.error?.message}
        </p>
        <Button onClick={() => stats.refetch()}>Try again</Button>
      </div>
    );
  }
  return (
    <div className="flex h-[109px] flex-col justify-between">
      <Skeleton className="w-64" />
      <Skeleton className="h-16 w-full" />
    </div>
  );
}
