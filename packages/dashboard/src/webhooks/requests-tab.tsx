import { RotateCw } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { useMay, WHY_NOT } from "../api/me.ts";
import { REQUEST_STATUSES, type RequestStatus, type WebhookRequest } from "../api/webhook-requests.ts";
import type { Webhook } from "../api/webhooks.ts";
import { Button } from "../parts/button.tsx";
import { shortId } from "../parts/id.tsx";
import { LiveToggle } from "../parts/live-list.tsx";
import { MultiSelect } from "../parts/multi-select.tsx";
import { useShortcut } from "../parts/shortcuts.ts";
import { sizeText } from "../parts/size-text.ts";
import { EmptyState, ErrorState, SkeletonRows } from "../parts/states.tsx";
import { StatusBadge, statusWord } from "../parts/status-badge.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { RequestPanel } from "./request-panel.tsx";
import { useRequestRows } from "./request-rows.ts";
import { BRANCHES } from "./webhook-groups.ts";
import { useWebhookSearch } from "./webhook-search.ts";

const ReplayDialog = lazy(() => import("./replay-dialog.tsx"));

const RECEIVED: Column<WebhookRequest> = {
  id: "received",
  header: "Received",
  width: "84px",
  cell: ({ received_at }) => <Time at={received_at} />,
};
const OUTCOME: Column<WebhookRequest> = {
  id: "status",
  header: "Outcome",
  width: "100px",
  link: true,
  cell: ({ status }) => <StatusBadge status={status} />,
};
const WHAT: Column<WebhookRequest> = {
  id: "what",
  header: "What became of it",
  width: "minmax(100px, 1fr)",
  cell: (request) => <Became request={request} />,
};
const BRANCH: Column<WebhookRequest> = {
  id: "branch",
  header: "Branch",
  width: "minmax(80px, 0.4fr)",
  from: 640,
  cell: ({ branch }) => branch ?? <span className="text-muted">none</span>,
};
const REST: Column<WebhookRequest>[] = [
  {
    id: "address",
    header: "From",
    width: "120px",
    from: 760,
    cell: ({ address }) => <span className="font-mono text-xs text-muted">{address}</span>,
  },
  {
    id: "version",
    header: "Version",
    width: "56px",
    align: "right",
    from: 860,
    cell: ({ version }) => version ?? "",
  },
  {
    id: "size",
    header: "Size",
    width: "72px",
    align: "right",
    from: 520,
    cell: ({ size }) => sizeText(size),
  },
];

/** The inbox: every request as it came, and what became of it. */
export function RequestsTab({ webhook }: { webhook: Webhook }) {
  const [search, change] = useWebhookSearch();
  const [replaying, setReplaying] = useState(false);
  const [live, setLive] = useState(true);
  const maySend = useMay("send");
  const statuses = readStatuses(search.status);
  const { list, rows } = useRequestRows(webhook.id, statuses.join(","), live);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useShortcut({ keys: "l", label: "Live on or off", group: "Lists" }, () => setLive(!live));
  const columns = useMemo(
    () => [RECEIVED, OUTCOME, WHAT, ...(webhook.environment === BRANCHES ? [BRANCH] : []), ...REST],
    [webhook.environment],
  );
  const curl = `curl ${webhook.url ?? "<the URL of the webhook>"} -H 'content-type: application/json' -d '{"hello":"world"}'`;

  return (
    <div className="flex h-full min-h-0">
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex min-h-11 flex-wrap items-center gap-2 border-b px-4 py-1.5">
          <MultiSelect
            label="Outcome"
            chosen={statuses}
            onChange={(chosen) => change({ status: chosen.join(",") || undefined })}
            useChoices={outcomeChoices}
          />
          <LiveToggle on={live} connected paused={false} onToggle={() => setLive(!live)} />
          <span className="flex-1" />
          <Button
            icon={<RotateCw size={13} aria-hidden />}
            disabled={!maySend || rows.length === 0}
            title={maySend ? undefined : WHY_NOT.send}
            onClick={() => setReplaying(true)}
          >
            Replay…
          </Button>
        </div>
        {list.isError && rows.length === 0 ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : list.isPending ? (
          <SkeletonRows />
        ) : rows.length > 0 ? (
          <Table
            label="Requests"
            rows={rows}
            columns={columns}
            rowKey={({ id }) => id}
            rowLink={({ id }) =>
              ({
                to: ".",
                search: (before: object) => ({ ...before, tab: "requests", request: id }),
              }) as never
            }
            selected={search.request}
            onEnd={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
            footer={isFetchingNextPage ? <SkeletonRows rows={2} /> : undefined}
          />
        ) : statuses.length > 0 ? (
          <EmptyState
            title={`No request is ${statuses.map((each) => statusWord(each).toLowerCase()).join(" or ")}`}
            action={<Button onClick={() => change({ status: undefined })}>Show all requests</Button>}
          >
            Requests are kept as long as events, and none of those has this outcome.
          </EmptyState>
        ) : (
          <EmptyState title="No request has come yet" command={curl}>
            Give the URL to the producer, or send one yourself. It shows up here as it comes.
          </EmptyState>
        )}
      </div>
      {search.request !== undefined && (
        <RequestPanel
          key={search.request}
          id={search.request}
          webhook={webhook}
          onClose={() => change({ request: undefined })}
        />
      )}
      <Suspense>
        {replaying && (
          <ReplayDialog webhook={webhook} chosen={statuses} onClose={() => setReplaying(false)} />
        )}
      </Suspense>
    </div>
  );
}

function readStatuses(text: string | undefined): RequestStatus[] {
  const named = (text ?? "").split(",");
  return REQUEST_STATUSES.filter((status) => named.includes(status));
}

function outcomeChoices(typed: string) {
  const choices = REQUEST_STATUSES.filter((status) => status.includes(typed.trim().toLowerCase())).map(
    (value) => ({ value }),
  );
  return { choices, loading: false };
}

/** One line on what became of a request. */
function Became({ request }: { request: WebhookRequest }) {
  const { event_ids: ids, error, environment, status } = request;
  if (error !== null) {
    return (
      <span title={error.message}>
        {error.line !== null && <span className="text-muted">line {error.line}: </span>}
        {error.message}
      </span>
    );
  }
  if (ids.length > 0) {
    return (
      <span>
        {ids.length === 1 ? (
          <span className="font-mono text-xs">{shortId(ids[0]!)}</span>
        ) : (
          `${ids.length} events`
        )}
        {environment !== null && <span className="text-muted"> in {environment}</span>}
      </span>
    );
  }
  const sentences: Partial<Record<RequestStatus, string>> = {
    ignored: "The transform returned nothing",
    paused: "Came while the webhook was paused",
    pending: "Its transform has not run yet",
  };
  return <span className="text-muted">{sentences[status] ?? ""}</span>;
}
