import { useQueryClient } from "@tanstack/react-query";
import { type LinkProps, Outlet, useParams } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useMay } from "../api/me.ts";
import type { EventRow } from "../api/types.ts";
import { openDialog } from "../frame/actions.ts";
import { Button } from "../parts/button.tsx";
import { ListEnd } from "../parts/list-end.tsx";
import { LiveToggle, WaitingRows } from "../parts/live-list.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { readRange } from "../parts/range.ts";
import { SearchFurther } from "../parts/search-further.tsx";
import { useShortcut } from "../parts/shortcuts.ts";
import { ErrorState, SkeletonRows } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { EVENT_COLUMNS } from "./event-columns.tsx";
import { EventFilters } from "./event-filters.tsx";
import { EventHistogram } from "./event-histogram.tsx";
import { useEventRows } from "./event-rows.ts";
import { filterOf, useEventSearch } from "./event-search.ts";
import { useLiveEvents } from "./live-events.ts";
import { NoEvents } from "./no-events.tsx";

/** Least time between two looks at the statistics because of events that came, ms. */
const STATS_MS = 3_000;

/** What was received, as it comes. */
export function EventsPage() {
  const [search, change] = useEventSearch();
  const { range: rangeName, after, before, name, source, id, q } = search;
  const range = useMemo(() => readRange({ range: rangeName, after, before }), [rangeName, after, before]);
  const filter = useMemo(() => filterOf({ name, source, id, q }), [name, source, id, q]);
  const selected = useParams({ strict: false, select: ({ eventId }) => eventId });
  const maySend = useMay("send");
  const [atTop, setAtTop] = useState(true);
  const [hovering, setHovering] = useState(false);
  const [scrollUp, setScrollUp] = useState(0);
  // A range that has ended gets no new events.
  const canFollow = range.name !== null;
  const following = canFollow && search.live !== "off";
  const live = useLiveEvents(filter, following, hovering || !atTop);
  const { list, rows, searching } = useEventRows(filter, range, live.shown);
  useMissedEvents(live.connected);
  useStatsOfLive(live.shown.length + live.waiting);
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
              paused={live.waiting > 0}
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
        {list.isPending || (rows.length === 0 && searching) ? (
          <SkeletonRows rows={14} />
        ) : list.isError && rows.length === 0 ? (
          <ErrorState error={list.error} onRetry={() => list.refetch()} />
        ) : rows.length === 0 && !list.hasNextPage ? (
          <NoEvents search={search} onChange={change} />
        ) : rows.length === 0 ? (
          <SearchFurther noun="events" list={list} />
        ) : (
          <section
            aria-label="Received events"
            className="flex min-h-0 flex-1 flex-col"
            onMouseEnter={() => setHovering(true)}
            onMouseLeave={() => setHovering(false)}
          >
            <Table
              key={scrollUp}
              label="Events"
              rows={rows}
              columns={EVENT_COLUMNS}
              rowKey={eventKey}
              rowLink={eventLink}
              selected={selected}
              isNew={live.isNew}
              onTop={setAtTop}
              onEnd={list.hasNextPage && !list.isFetching ? () => list.fetchNextPage() : undefined}
              overlay={
                <WaitingRows
                  count={live.waiting}
                  onShow={() => {
                    live.release();
                    setAtTop(true);
                    setScrollUp((count) => count + 1);
                  }}
                />
              }
              footer={
                <ListEnd
                  loading={list.isFetchingNextPage}
                  more={list.hasNextPage}
                  count={rows.length}
                  words={["event", "events"]}
                  ranged
                />
              }
            />
          </section>
        )}
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

/** After the stream was broken off, the list is read anew: it has what came meanwhile. */
function useMissedEvents(connected: boolean) {
  const queryClient = useQueryClient();
  const wasConnected = useRef(false);
  const broken = useRef(false);
  useEffect(() => {
    if (connected && broken.current) queryClient.invalidateQueries({ queryKey: ["events", "list"] });
    broken.current = !connected && wasConnected.current;
    wasConnected.current = connected;
  }, [connected, queryClient]);
}

/** The chart follows what comes in live, without being read for each event. */
function useStatsOfLive(count: number) {
  const queryClient = useQueryClient();
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (count === 0 || pending.current !== undefined) return;
    pending.current = setTimeout(() => {
      pending.current = undefined;
      queryClient.invalidateQueries({ queryKey: ["events", "stats"] });
    }, STATS_MS);
  }, [count, queryClient]);
  useEffect(() => () => clearTimeout(pending.current), []);
}
