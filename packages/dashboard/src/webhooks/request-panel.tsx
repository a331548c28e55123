import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FlaskConical, RotateCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useMay, WHY_NOT } from "../api/me.ts";
import {
  refreshRequest,
  replayRequest,
  type WebhookRequestDetail,
  webhookRequestQuery,
} from "../api/webhook-requests.ts";
import type { Webhook } from "../api/webhooks.ts";
import { Button } from "../parts/button.tsx";
import { Id } from "../parts/id.tsx";
import { JsonViewer } from "../parts/json-viewer.tsx";
import { SendToDev } from "../parts/send-to-dev.tsx";
import { Facts, PanelSection, SidePanel } from "../parts/side-panel.tsx";
import { ErrorState, SkeletonRows } from "../parts/states.tsx";
import { StatusBadge, statusWord } from "../parts/status-badge.tsx";
import { absoluteTime, Time } from "../parts/time.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { Pairs } from "./pairs.tsx";
import { RequestBody } from "./request-body.tsx";
import { RouteRequest } from "./route-request.tsx";
import { durationOf } from "./tester-result.tsx";
import { ConsoleOutput, TransformErrorBox } from "./transform-error.tsx";
import { useWebhookSearch } from "./webhook-search.ts";

/** How often a request without an outcome is read, ms. */
const PENDING_MS = 1_000;

interface RequestPanelProps {
  id: string;
  webhook: Webhook;
  onClose(): void;
}

/** One request: what came, and what became of it. */
export function RequestPanel({ id, webhook, onClose }: RequestPanelProps) {
  const request = useQuery({
    ...webhookRequestQuery(id),
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? PENDING_MS : false),
  });
  const found = request.data?.webhook_id === webhook.id ? request.data : undefined;
  return (
    <SidePanel
      label="Request"
      title={
        <span className="flex items-center gap-3">
          <h2 className="font-semibold">Request</h2>
          {found !== undefined && <StatusBadge status={found.status} />}
        </span>
      }
      onClose={onClose}
    >
      {found !== undefined ? (
        <Found request={found} />
      ) : request.isError ? (
        <ErrorState error={request.error} onRetry={() => void request.refetch()} />
      ) : request.isPending ? (
        <SkeletonRows />
      ) : (
        <ErrorState error={new Error("This request came to another webhook.")} />
      )}
    </SidePanel>
  );
}

function Found({ request }: { request: WebhookRequestDetail }) {
  const [, change] = useWebhookSearch();
  const [busy, setBusy] = useState(false);
  const maySend = useMay("send");
  const queries = useQueryClient();
  const refresh = () => {
    void refreshRequest(queries, request.id).catch(toastError);
    void queries.invalidateQueries({ queryKey: ["webhooks", "one", request.webhook_id] });
  };
  const replay = async () => {
    setBusy(true);
    try {
      const { status, event_ids } = await replayRequest(request.id);
      const events =
        event_ids.length > 0 ? `, ${event_ids.length} event${event_ids.length === 1 ? "" : "s"}` : "";
      toast(
        status === "failed" ? "failed" : "done",
        `Replayed: ${statusWord(status).toLowerCase()}${events}.`,
      );
    } catch (error) {
      toastError(error);
    }
    setBusy(false);
    refresh();
  };
  const { status, error, logs, event_ids: ids, events, headers, query } = request;
  // In the tester the same request fails at the same place, if the transform is still the same.
  const openTester = () =>
    change({ tab: "transform", input: request.id, sample: undefined, request: undefined }, false);
  return (
    <>
      <div role="toolbar" aria-label="Actions" className="flex flex-wrap gap-2 border-b px-4 py-2">
        {status === "unrouted" && events !== null && <RouteRequest request={request} onRouted={refresh} />}
        <Button
          icon={<RotateCw size={13} aria-hidden />}
          disabled={busy || !maySend || status === "pending"}
          title={maySend ? undefined : WHY_NOT.send}
          onClick={() => void replay()}
        >
          Replay
        </Button>
        <Button icon={<FlaskConical size={13} aria-hidden />} onClick={openTester}>
          Open in tester
        </Button>
      </div>
      <PanelSection title="Outcome">
        <div className="flex flex-col gap-2">
          {error !== null && <TransformErrorBox error={error} onPlace={openTester} />}
          <Facts facts={outcomeFacts(request)} />
          {ids.length > 0 && <Events ids={ids} environment={request.environment} />}
        </div>
      </PanelSection>
      {events !== null && events !== undefined && (
        <PanelSection title="Events that wait" actions={<SendToDev event={() => events} />}>
          <JsonViewer label="Events that wait" root="events" value={events} maxHeight="320px" />
        </PanelSection>
      )}
      <PanelSection title="Console">
        <ConsoleOutput logs={logs} />
      </PanelSection>
      <PanelSection title="Body">
        <RequestBody request={request} />
      </PanelSection>
      {query !== "" && (
        <PanelSection title="Query">
          <Pairs pairs={[...new URLSearchParams(query)]} />
        </PanelSection>
      )}
      <PanelSection title="Headers">
        <Pairs pairs={Object.entries(headers)} />
      </PanelSection>
      <PanelSection title="Request">
        <Facts facts={requestFacts(request)} />
      </PanelSection>
    </>
  );
}

function outcomeFacts({ duration_ms, version, environment, finished_at }: WebhookRequestDetail) {
  const facts: [string, ReactNode][] = [];
  if (version !== null) facts.push(["Version", `${version} of the transform`]);
  if (duration_ms !== null) facts.push(["Duration", durationOf(duration_ms)]);
  if (environment !== null) facts.push(["Environment", environment]);
  if (finished_at !== null) facts.push(["Finished", <Time key="finished" at={finished_at} />]);
  return facts;
}

function requestFacts({ id, method, path, received_at, address, branch, size }: WebhookRequestDetail) {
  const facts: [string, ReactNode][] = [
    ["Id", <Id key="id" id={id} whole />],
    ["Received", <span key="received">{absoluteTime(Date.parse(received_at))}</span>],
    [
      "From",
      <code key="from" className="text-xs">
        {address}
      </code>,
    ],
    ["Method", `${method} ${path}`],
    ["Size", `${size.toLocaleString()} bytes`],
  ];
  if (branch !== null) facts.push(["Branch", branch]);
  return facts;
}

/** Most events of a request that are drawn. */
const MAX_EVENTS = 100;

function Events({ ids, environment }: { ids: string[]; environment: string | null }) {
  return (
    <ul aria-label="Events it became" className="overflow-hidden rounded-md border">
      {ids.slice(0, MAX_EVENTS).map((id) => (
        <li key={id} className="border-b last:border-b-0">
          <Link
            to="/events/$eventId"
            params={{ eventId: id }}
            search={
              { ...(environment !== null && environment !== "production" && { env: environment }) } as never
            }
            className="flex h-8 items-center px-3 font-mono text-xs text-accent hover:bg-hover"
          >
            {id}
          </Link>
        </li>
      ))}
      {ids.length > MAX_EVENTS && (
        <li className="px-3 py-1.5 text-muted">and {(ids.length - MAX_EVENTS).toLocaleString()} more</li>
      )}
    </ul>
  );
}
