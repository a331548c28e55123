import { useQueryClient } from "@tanstack/react-query";
import { type LinkProps, Outlet, useParams } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { useMay } from "../api/me.ts";
import type { EventRow } from "../api/types.ts";
import { openDialog } from "../frame/actions.ts";
import { Button } from "../parts/button.tsx";
import { LiveToggle } from "../parts/live-list.tsx";
import { LiveTable, useAttention } from "../parts/live-table.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { readRange } from "../parts/range.ts";
import { useShortcut } from "../parts/shortcuts.ts";
import { EVENT_COLUMNS } from "./event-columns.tsx";
import { EventFilters } from "./event-filters.tsx";
import { EventHistogram } from "./event-histogram.tsx";
import { useEventRows } from "./event-rows.ts";
import { filterOf, useEventSearch } from "./event-search.ts";
import { useLiveEvents } from "./live-events.ts";
import { NoEvents } from "./no-events.tsx";
import { statsDelayMs } from "./stats-delay.ts";

/** What was received, as it comes. */
export function EventsPage() {
  const [search, change] = useEventSearch();
  const { range: rangeName, after, before, name, source, id, q } = search;
  const range = useMemo(() => readRange({ range: rangeName, after, before }), [rangeName, after, before]);
  const filter = useMemo(() => filterOf({ name, source, id, q }), [name, source, id, q]);
  const selected = useParams({ strict: false, select: ({ eventId }) => eventId });
  const maySend = useMay("send");
  const attention = useAttention();
  // A range that has ended gets no new events.
  const canFollow = range.name !== null;
  const following = canFollow && search.live !== "off";
  const live = useLiveEvents(filter, following, attention.looking);
  const { list, rows, searching } = useEventRows(filter, range, live);
  useMissedEvents(live.openedAt, list);
  useStatsOfLive((live.held[0] ?? live.shown[0])?.id);
  useShortcut(
    { keys: "l", label: "Live tail on or off", group: "Lists" },
    canFollow ? () => change({ live: following ? "off" : undefined }) : null,
  );

  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">
        <PageHeader title="Events">
          {canFollow && (
            <LiveToggle
              on={following}
              connected={live.connected}
              paused={live.held.length > 0}
              onToggle={() => change({ live: following ? "off" : undefined })}
            />
          )}
          {maySend && (
            <Button look="primary" icon={<Plus size={14} aria-hidden />} onClick={() => openDialog("send")}>
              Send event
            </Button>
          )}
        </PageHeader>
        <EventFilters search={search} range={range} onChange={change} />
        <div className="border-b px-4 pt-1 pb-2">
          <EventHistogram
            filter={filter}
            range={range}
            live={following}
            partly={Boolean(filter.source || id || q)}
            onSelect={({ after: from, before: to }) =>
              change({ range: undefined, after: String(from), before: String(to) })
            }
          />
        </div>
        <LiveTable
          label="Events"
          region="Received events"
          words={["event", "events"]}
          rows={rows}
          columns={EVENT_COLUMNS}
          rowKey={eventKey}
          rowLink={eventLink}
          selected={selected}
          isNew={live.isNew}
          list={list}
          searching={searching}
          empty={<NoEvents search={search} onChange={change} />}
          attention={attention}
          waiting={live.held.length}
          onRelease={() => {
            live.release();
            attention.release();
          }}
        />
      </div>
      <Outlet />
    </div>
  );
}

const eventKey = (event: EventRow) => event.id;
const eventLink = (event: EventRow): LinkProps => ({
  to: "/events/$eventId",
  params: { eventId: event.id } as never,
  search: true as never,
});

/**
 * A list that was asked for before the stream opened lacks what came between the two: it is read anew, once for each
 * opening. So it is after a break, and with a list that the cache has from the last look at this page.
 */
function useMissedEvents(openedAt: number | null, list: ReturnType<typeof useEventRows>["list"]) {
  const mended = useRef<number>(undefined);
  const { isFetching, refetch } = list;
  const askedAt = list.data?.pages[0]?.askedAt;
  useEffect(() => {
    if (openedAt === null || askedAt === undefined || askedAt > openedAt || isFetching) return;
    if (mended.current === openedAt) return;
    mended.current = openedAt;
    void refetch();
  }, [openedAt, askedAt, isFetching, refetch]);
}

/** The chart follows what comes in live, without being read for each event. */
function useStatsOfLive(newest: string | undefined) {
  const queryClient = useQueryClient();
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);
  const readAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (newest === undefined || pending.current !== undefined) return;
    pending.current = setTimeout(
      () => {
        pending.current = undefined;
        readAt.current = performance.now();
        queryClient.invalidateQueries({ queryKey: ["events", "stats"] });
      },
      statsDelayMs(performance.now() - readAt.current),
    );
  }, [newest, queryClient]);
  useEffect(() => () => clearTimeout(pending.current), []);
}
