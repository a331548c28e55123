import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useMay } from "../api/me.ts";
import { type Webhook, webhookQuery } from "../api/webhooks.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Crumbs } from "../parts/crumbs.tsx";
import { useKept } from "../parts/kept.ts";
import { PageHeader } from "../parts/page-header.tsx";
import { usePageTitle } from "../parts/page-title.ts";
import { ErrorState, Skeleton, SkeletonRows } from "../parts/states.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { type FilterForm, FiltersTab } from "./filters-tab.tsx";
import { LeaveDialog } from "./leave-dialog.tsx";
import { RequestsTab } from "./requests-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import type { Draft } from "./transform-draft.ts";
import { TransformTab } from "./transform-tab.tsx";
import { countsOf } from "./webhook-counts.ts";
import { BRANCHES } from "./webhook-groups.ts";
import { tabOf, useWebhookSearch } from "./webhook-search.ts";
import { shortUrl } from "./webhook-url.ts";

/** How often the webhook is read anew: others may change it, and its counts move. */
const REFRESH_MS = 10_000;

/** One webhook: its transform, its inbox, what it lets in. */
export function WebhookPage() {
  const id = useParams({ strict: false, select: ({ webhookId }) => webhookId ?? "" });
  const webhook = useQuery({ ...webhookQuery(id), refetchInterval: REFRESH_MS });
  usePageTitle(webhook.data?.name ?? "Webhook");
  if (webhook.data !== undefined) return <Found key={id} webhook={webhook.data} />;
  return (
    <>
      <PageHeader
        title={
          <Crumbs to="/webhooks" parent="Webhooks">
            {webhook.isError ? "Not found" : <Skeleton className="w-32" />}
          </Crumbs>
        }
      />
      {webhook.isError ? (
        <ErrorState error={webhook.error} onRetry={() => void webhook.refetch()} />
      ) : (
        <SkeletonRows />
      )}
    </>
  );
}

function Found({ webhook }: { webhook: Webhook }) {
  const [search, change] = useWebhookSearch();
  // Here, so that a look at another tab loses nothing; kept, so that neither does the end of a session.
  const [draft, setDraft] = useKept<Draft>(`transform ${webhook.id}`);
  const [filters, setFilters] = useKept<FilterForm>(`filters ${webhook.id}`);
  const mayManage = useMay("manage");
  const { bad } = countsOf(webhook);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHeader
        title={
          <Crumbs to="/webhooks" parent="Webhooks">
            {webhook.name}
          </Crumbs>
        }
        note={
          <span className="flex items-center gap-3">
            {webhook.environment === BRANCHES ? "all branches" : webhook.environment}
            {webhook.paused && <StatusBadge status="paused" />}
          </span>
        }
      >
        {webhook.url !== null && (
          <span className="flex min-w-0 items-center gap-1 rounded-md border bg-panel pl-2">
            <code className="truncate text-xs text-muted" title={webhook.url}>
              {shortUrl(webhook.url)}
            </code>
            <CopyButton text={webhook.url} label="Copy the URL" />
          </span>
        )}
      </PageHeader>
      <Tabs
        label="Parts of the webhook"
        value={tabOf(search)}
        onChange={(tab) => change({ tab, request: undefined, version: undefined }, false)}
        tabs={[
          {
            value: "transform",
            label: draft === null ? "Transform" : <Unsaved label="Transform" />,
            content: (
              <TransformTab webhook={webhook} draft={draft} onDraft={setDraft} mayManage={mayManage} />
            ),
          },
          {
            value: "requests",
            label: bad === 0 ? "Requests" : <Counted label="Requests" count={bad} />,
            content: <RequestsTab webhook={webhook} />,
          },
          {
            value: "filters",
            label: filters === null ? "Filters" : <Unsaved label="Filters" />,
            content: (
              <FiltersTab webhook={webhook} edited={filters} onEdit={setFilters} mayManage={mayManage} />
            ),
          },
          {
            value: "settings",
            label: "Settings",
            content: <SettingsTab webhook={webhook} mayManage={mayManage} />,
          },
        ]}
      />
      <LeaveDialog
        unsaved={[draft && "transform", filters && "filters"].filter((each) => each !== null)}
        onLeave={() => {
          setDraft(null);
          setFilters(null);
        }}
      />
    </div>
  );
}

function Unsaved({ label }: { label: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {label}
      <span aria-hidden className="size-1.5 rounded-full bg-accent" title="Not saved" />
      <span className="sr-only">, not saved</span>
    </span>
  );
}

function Counted({ label, count }: { label: string; count: number }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {label}
      <span className="tabular rounded bg-failed-soft px-1 text-xs">
        {count.toLocaleString()}
        <span className="sr-only"> failed in 24 hours</span>
      </span>
    </span>
  );
}
