import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Run } from "../api/types.ts";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Duration } from "./run-columns.tsx";

/** A run in a list within something else: its status, what tells it from the others, how long it took. */
export function RunLine({ run, children }: { run: Run; children: ReactNode }) {
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: run.id }}
      className="-mx-2 flex h-8 items-center gap-3 rounded-md px-2 hover:bg-hover"
    >
      <span className="flex w-24 shrink-0">
        <StatusBadge status={run.status} />
      </span>
      {children}
      <span className="tabular w-16 shrink-0 text-right">
        <Duration run={run} />
      </span>
    </Link>
  );
}
