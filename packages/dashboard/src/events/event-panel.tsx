import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Copy, PencilLine, RotateCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { isAway } from "../api/away.ts";
import { eventQuery, replayEvent, runsOfEventQuery } from "../api/events.ts";
import { useMay } from "../api/me.ts";
import type { Event, Run } from "../api/types.ts";
import { openDialog } from "../frame/actions.ts";
import { Button } from "../parts/button.tsx";
import { copyText } from "../parts/copy-button.tsx";
import { Id } from "../parts/id.tsx";
import { JsonViewer } from "../parts/json-viewer.tsx";
import { Menu, MenuItem } from "../parts/menu.tsx";
import { isMissing, Missing } from "../parts/missing-panel.tsx";
import { Moment } from "../parts/moment.tsx";
import { LookOnly } from "../parts/not-allowed.tsx";
import { SendToDev } from "../parts/send-to-dev.tsx";
import { useShortcut } from "../parts/shortcuts.ts";
import { Facts, PanelSection, SidePanel } from "../parts/side-panel.tsx";
import { sizeText } from "../parts/size-text.ts";
import { ErrorState, Skeleton } from "../parts/states.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { environmentOption, sendUrl } from "../place.ts";
import { RunLine } from "../runs/run-line.tsx";
import { RequestOfEvent } from "../webhooks/request-of-event.tsx";
import { sourceText } from "./event-columns.tsx";
import { curlText, sendable, sendCallText, typeText } from "./event-texts.ts";

/** How often runs are read while one goes on, ms. */
const RUNS_MS = 1_500;

/** One event: what it carried, where it came from, what it started. */
export function EventPanel() {
  const id = useParams({ strict: false, select: ({ eventId }) => eventId }) ?? "";
  const navigate = useNavigate();
  const event = useQuery(eventQuery(id));
  const close = () => navigate({ to: "/events", search: true as never });
  const name = event.data?.name ?? "Event";
  return (
    <SidePanel
      key={id}
      label={event.data === undefined ? "Event" : `Event ${name}`}
      onClose={close}
      title={
        <h2 className="truncate font-semibold">
          {event.isPending ? <Skeleton className="my-1 w-40" /> : name}
        </h2>
      }
    >
      {event.isPending ? (
        <PanelSkeleton />
      ) : event.isError && isMissing(event.error) ? (
        <Missing what="event" />
      ) : event.data === undefined || (event.isError && !isAway(event.error)) ? (
        <ErrorState error={event.error} onRetry={() => event.refetch()} />
      ) : (
        <EventDetail event={event.data} />
      )}
    </SidePanel>
  );
}

function EventDetail({ event }: { event: Event }) {
  const { webhook_request: request } = event;
  return (
    <>
      <EventActions event={event} />
      <PanelSection title="Payload">
        <JsonViewer label="Payload" value={event.data} />
      </PanelSection>
      <RunsOfEvent event={event} />
      <PanelSection title="Event">
        <Facts facts={factsOf(event)} />
      </PanelSection>
      {request && <RequestOfEvent webhookId={request.webhook_id} requestId={request.request_id} />}
    </>
  );
}

function factsOf(event: Event): [string, ReactNode][] {
  const json = (label: string, value: unknown): [string, ReactNode][] =>
    value === null || value === undefined
      ? []
      : [[label, <JsonViewer key={label} label={label} root={label} value={value} maxHeight="160px" />]];
  return [
    ["Id", <Id key="id" id={event.id} whole />],
    ["Received", <Moment key="received" at={event.received_at} />],
    ["Happened", event.ts === null ? <NotGiven key="ts" /> : <Moment key="ts" at={event.ts} />],
    ["Source", <Source key="source" source={event.source} />],
    ["Environment", event.environment],
    [
      "Sender's id",
      event.idempotency_id === null ? (
        <NotGiven key="own" />
      ) : (
        <Id key="own" id={event.idempotency_id} whole />
      ),
    ],
    ["Size", sizeText(event.size_bytes)],
    ...json("user", event.user),
    ...json("v", event.v),
    ...json("cloudevent", event.cloudevent),
  ];
}

/** A step's run can be looked at. */
function Source({ source }: { source: Event["source"] }) {
  if (source.kind !== "step" || source.name === null) return sourceText(source);
  return (
    <Link to="/runs/$runId" params={{ runId: source.name }} className="text-accent hover:underline">
      {sourceText(source)}
    </Link>
  );
}

function NotGiven() {
  return <span className="text-muted">not given</span>;
}

function EventActions({ event }: { event: Event }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const maySend = useMay("send");
  const [replaying, setReplaying] = useState(false);
  const replay = async () => {
    setReplaying(true);
    try {
      const id = await replayEvent(event.id);
      toast("done", "Sent again as a new event.", {
        label: "Open it",
        run: () => navigate({ to: "/events/$eventId", params: { eventId: id }, search: true as never }),
      });
      queryClient.invalidateQueries({ queryKey: ["events", "list"] });
    } catch (error) {
      toastError(error);
    }
    setReplaying(false);
  };
  const edit = () => openDialog("send", JSON.stringify(sendable(event), null, 2));
  const copy = async (text: string, what: string) => {
    if (await copyText(text)) toast("done", `Copied as ${what}.`);
  };
  useShortcut({ keys: "r", label: "Replay", group: "Event" }, maySend && !replaying ? replay : null);
  useShortcut({ keys: "e", label: "Edit and send", group: "Event" }, maySend ? edit : null);
  return (
    <div role="toolbar" aria-label="Actions" className="flex flex-wrap gap-2 border-b px-4 py-2">
      <SendToDev event={() => sendable(event)} />
      {maySend && (
        <>
          <Button icon={<RotateCw size={13} aria-hidden />} disabled={replaying} onClick={replay}>
            Replay
          </Button>
          <Button icon={<PencilLine size={13} aria-hidden />} onClick={edit}>
            Edit and send
          </Button>
        </>
      )}
      <Menu label="Copy as" trigger={<Button icon={<Copy size={13} aria-hidden />}>Copy as</Button>}>
        <MenuItem onSelect={() => copy(curlText(sendable(event), sendUrl(), environmentOption()), "curl")}>
          curl
        </MenuItem>
        <MenuItem onSelect={() => copy(sendCallText(sendable(event)), "a send() call")}>send() call</MenuItem>
        <MenuItem onSelect={() => copy(JSON.stringify(sendable(event), null, 2), "JSON")}>JSON</MenuItem>
        <MenuItem onSelect={() => copy(typeText(event.name, event.data), "a TypeScript type")}>
          TypeScript type
        </MenuItem>
      </Menu>
      {!maySend && <LookOnly permission="send" />}
    </div>
  );
}

function RunsOfEvent({ event }: { event: Event }) {
  const runs = useQuery({
    ...runsOfEventQuery(event.id),
    refetchInterval: (query) =>
      query.state.data?.some(({ ended_at }) => ended_at === null) ? RUNS_MS : false,
  });
  return (
    <PanelSection title={event.run_count === 0 ? "Runs" : `Runs (${runs.data?.length ?? event.run_count})`}>
      {runs.isError ? (
        <ErrorState error={runs.error} onRetry={() => runs.refetch()} />
      ) : runs.isPending ? (
        <Skeleton className="w-48" />
      ) : runs.data.length === 0 ? (
        <p className="text-muted">
          Nothing ran: when it came, no function in use listened to{" "}
          <code className="text-xs">{event.name}</code>, or its conditions did not hold.
        </p>
      ) : (
        <ul className="flex flex-col">
          {runs.data.map((run) => (
            <RunOfEventRow key={run.id} run={run} />
          ))}
        </ul>
      )}
    </PanelSection>
  );
}

function RunOfEventRow({ run }: { run: Run }) {
  return (
    <li>
      <RunLine run={run}>
        <span className="min-w-0 flex-1 truncate font-medium">{run.function_name}</span>
        {run.attempts > 1 && <span className="tabular text-xs text-muted">{run.attempts} calls</span>}
      </RunLine>
      {run.error !== null && <p className="truncate pb-1 pl-27 text-xs text-failed">{run.error.message}</p>}
    </li>
  );
}

function PanelSkeleton() {
  return (
    <div role="status" aria-label="Loading the event" className="flex flex-col gap-3 p-4">
      <Skeleton className="h-7 w-72" />
      <Skeleton className="h-40 w-full" />
      <Skeleton className="w-56" />
      <Skeleton className="w-48" />
    </div>
  );
}
