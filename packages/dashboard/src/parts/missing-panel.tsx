import { ApiError } from "../api/request.ts";
import { SidePanel } from "./side-panel.tsx";
import { EmptyState } from "./states.tsx";

/** In the place of a thing that an address names and that is not there. */
export function MissingPanel({ what, onClose }: { what: string; onClose(): void }) {
  return (
    <SidePanel
      label={`No such ${what}`}
      onClose={onClose}
      title={<h2 className="font-semibold">Not found</h2>}
    >
      <Missing what={what} />
    </SidePanel>
  );
}

/** The same within a panel that is there already. */
export function Missing({ what }: { what: string }) {
  return (
    <EmptyState title={`There is no such ${what}`}>
      It may have been removed, or belong to another environment than the one that is shown.
    </EmptyState>
  );
}

/** Whether the API says that a thing is not there: asking again would not help. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
