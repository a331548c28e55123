/** The list of events without any: why, and what to do about it. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { eventNamesQuery } from "../api/events.ts";
import { functionsQuery } from "../api/functions.ts";
import { useMay } from "../api/me.ts";
import type { Fn } from "../api/types.ts";
import { openDialog } from "../frame/actions.ts";
import { isBranchParent, OfOneBranch } from "../parts/branch-parent.tsx";
import { Button } from "../parts/button.tsx";
import { RANGE_LABELS, rangeSearch } from "../parts/range.ts";
import { EmptyState, SkeletonRows } from "../parts/states.tsx";
import { curlCommand, mode } from "../place.ts";
import { CLEARED, type EventSearch, isFiltered } from "./event-search.ts";
import { eventsOf, suggestedEvent } from "./suggested-event.ts";

interface NoEventsProps {
  search: EventSearch;
  onChange(change: EventSearch): void;
}

/** The first names are enough to know that there are some. */
const ANY_NAME = "";

export function NoEvents({ search, onChange }: NoEventsProps) {
  const names = useQuery(eventNamesQuery(ANY_NAME));
  if (isBranchParent()) return <OfOneBranch what="Events" />;
  if (isFiltered(search)) {
    return (
      <EmptyState
        title="No event fits these filters"
        action={<Button onClick={() => onChange(CLEARED)}>Clear the filters</Button>}
      >
        In the time range chosen, nothing was received that they let through.
      </EmptyState>
    );
  }
  if (names.isPending) return <SkeletonRows rows={4} />;
  if (names.data !== undefined && names.data.length > 0) {
    return (
      <EmptyState
        title="Nothing was received in this time"
        action={<Button onClick={() => onChange(rangeSearch("30d"))}>{RANGE_LABELS["30d"]}</Button>}
      >
        There are events from another time: choose a longer range.
      </EmptyState>
    );
  }
  return <FirstEvent />;
}

/** What whoever sees the service for the first time does next. */
function FirstEvent() {
  const maySend = useMay("send");
  const functions = useQuery(functionsQuery());
  const listening = functions.data?.filter((fn) => eventsOf(fn).length > 0) ?? [];
  return (
    <EmptyState
      title="Nothing was received yet"
      command={curlCommand(suggestedEvent(listening))}
      action={
        maySend && (
          <Button look="primary" onClick={() => openDialog("send")}>
            Send an event from here
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {functions.isSuccess && <Listening functions={listening} />}
        <p>
          Send the first event from a terminal; it shows here as it comes.
          {mode === "start" && " The command needs an event key of this environment: create one under "}
          {mode === "start" && (
            <Link to="/keys" className="text-accent hover:underline">
              Keys
            </Link>
          )}
          {mode === "start" && (
            <>
              {" and put it into "}
              <code className="text-xs">SVC_EVENT_KEY</code>.
            </>
          )}
        </p>
      </div>
    </EmptyState>
  );
}

/** Functions shown by name; of more than these only the count. */
const MAX_SHOWN = 6;

function Listening({ functions }: { functions: readonly Fn[] }) {
  if (functions.length === 0) {
    return (
      <p>
        No app is connected, so events are kept and start nothing.{" "}
        <Link to="/apps" className="text-accent hover:underline">
          Connect an app
        </Link>
        {" whenever you like."}
      </p>
    );
  }
  return (
    <div>
      <p className="mb-1">{functions.length === 1 ? "One function listens:" : "These functions listen:"}</p>
      <ul className="flex flex-col gap-1">
        {functions.slice(0, MAX_SHOWN).map((fn) => (
          <li key={fn.id} className="flex flex-wrap gap-x-2">
            <Link
              to="/functions/$functionId"
              params={{ functionId: fn.id }}
              className="font-medium text-text hover:underline"
            >
              {fn.name}
            </Link>
            <span>
              to <code className="text-xs text-text">{eventsOf(fn).join(", ")}</code>
            </span>
          </li>
        ))}
      </ul>
      {functions.length > MAX_SHOWN && <p className="mt-1">and {functions.length - MAX_SHOWN} more.</p>}
    </div>
  );
}
