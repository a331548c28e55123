import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense } from "react";
import { useMay, WHY_NOT } from "../api/me.ts";
import type { Webhook } from "../api/webhooks.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { useShortcut } from "../parts/shortcuts.ts";
import { EmptyState, ErrorState, SkeletonRows } from "../parts/states.tsx";
import { StatusBadge, StatusIcon } from "../parts/status-badge.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { TypedFilter } from "../parts/typed-filter.tsx";
import { apiCommand, mode } from "../place.ts";
import { countsOf } from "./webhook-counts.ts";
import { groupTitle, useWebhookGroups } from "./webhook-groups.ts";
import { shortUrl } from "./webhook-url.ts";

const CreateWebhookDialog = lazy(() => import("./create-webhook-dialog.tsx"));

const COLUMNS: Column<Webhook>[] = [
  {
    id: "name",
    header: "Name",
    width: "minmax(100px, 1.2fr)",
    link: true,
    cell: ({ name, paused }) => (
      <span className="flex items-center gap-3">
        <span className="truncate font-medium">{name}</span>
        {paused && (
          <span className="text-muted">
            <StatusBadge status="paused" />
          </span>
        )}
      </span>
    ),
  },
  {
    id: "url",
    header: "URL",
    width: "minmax(140px, 1.6fr)",
    from: 860,
    cell: ({ url }) => (url === null ? <Muted>hidden</Muted> : <Address url={url} />),
  },
  {
    id: "requests",
    header: "Requests, 24 h",
    width: "100px",
    align: "right",
    from: 420,
    cell: (webhook) => countsOf(webhook).all.toLocaleString(),
  },
  {
    id: "bad",
    header: "Failures",
    width: "72px",
    align: "right",
    cell: (webhook) => <Failures webhook={webhook} />,
  },
  {
    id: "last",
    header: "Last received",
    width: "88px",
    align: "right",
    cell: ({ last_received_at: at }) => (at === null ? <Muted>never</Muted> : <Time at={at} />),
  },
];

/** Every address that producers post to. */
export function WebhooksPage() {
  const search: { q?: string; create?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { rows, loading, error, retry } = useWebhookGroups();
  const mayManage = useMay("manage");
  const change = (next: { q?: string | undefined; create?: string | undefined }) =>
    navigate({ to: ".", search: ((before: object) => ({ ...before, ...next })) as never, replace: true });
  useShortcut(
    { keys: "n", label: "Create a webhook", group: "Lists" },
    mayManage ? () => change({ create: "1" }) : null,
  );
  const typed = search.q ?? "";
  const shown = rows.filter(({ name, id, url }) =>
    [name, id, url ?? ""].some((text) => text.toLowerCase().includes(typed.trim().toLowerCase())),
  );
  const create = (
    <Button
      look="primary"
      icon={<Plus size={14} aria-hidden />}
      disabled={!mayManage}
      title={mayManage ? undefined : WHY_NOT.manage}
      onClick={() => change({ create: "1" })}
    >
      Create a webhook
    </Button>
  );

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHeader title="Webhooks">{create}</PageHeader>
      {rows.length > 0 && (
        <div
          role="search"
          aria-label="Filter webhooks"
          className="flex items-center gap-2 border-b px-4 py-2"
        >
          <TypedFilter
            label="Find a webhook"
            placeholder="Search"
            value={typed}
            onChange={(q) => change({ q: q || undefined })}
            keys="/"
            className="max-w-56 flex-1"
          />
        </div>
      )}
      {error !== null && rows.length > 0 && (
        <p role="alert" className="flex flex-wrap items-center gap-3 border-b bg-failed-soft px-4 py-2">
          <span>Not all could be read: {error.message}</span>
          <Button onClick={retry}>Try again</Button>
        </p>
      )}
      {error !== null && rows.length === 0 ? (
        <ErrorState error={error} onRetry={retry} />
      ) : loading ? (
        <SkeletonRows />
      ) : rows.length === 0 ? (
        <EmptyState
          title="No webhooks yet"
          command={apiCommand("v1/webhooks", { name: "GitHub", starter: "github" })}
          action={create}
        >
          A webhook is an address for a producer such as Stripe or GitHub, with a piece of your code that
          makes events of its requests. Create one here, or with a command:
        </EmptyState>
      ) : shown.length === 0 ? (
        <EmptyState
          title="No webhook fits"
          action={<Button onClick={() => change({ q: undefined })}>Show all</Button>}
        >
          None has “{typed}” in its name, id or URL.
        </EmptyState>
      ) : (
        <Table
          label="Webhooks"
          rows={shown}
          columns={COLUMNS}
          rowKey={({ id }) => id}
          rowLink={({ id }) => ({ to: "/webhooks/$webhookId", params: { webhookId: id } }) as never}
          {...(mode === "start" && {
            heading: (row: Webhook, before: Webhook | undefined) =>
              row.environment === before?.environment ? null : groupTitle(row.environment),
          })}
        />
      )}
      <Suspense>
        {search.create !== undefined && mayManage && (
          <CreateWebhookDialog onClose={() => change({ create: undefined })} />
        )}
      </Suspense>
    </div>
  );
}

function Muted({ children }: { children: string }) {
  return <span className="text-muted">{children}</span>;
}

function Address({ url }: { url: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="truncate font-mono text-xs text-muted" title={url}>
        {shortUrl(url)}
      </span>
      <CopyButton text={url} label="Copy the URL" className="!size-6" />
    </span>
  );
}

function Failures({ webhook }: { webhook: Webhook }) {
  const { bad } = countsOf(webhook);
  if (bad === 0) return <Muted>0</Muted>;
  return (
    <span className="inline-flex items-center gap-1.5 align-top font-medium">
      <StatusIcon status="failed" size={13} />
      {bad.toLocaleString()}
    </span>
  );
}
