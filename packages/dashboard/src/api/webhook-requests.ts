/** The inbox of a webhook: requests as they came, and what became of them. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { request } from "./request.ts";
import type { One, Page } from "./types.ts";

export const REQUEST_STATUSES = [
  "accepted",
  "duplicate",
  "ignored",
  "filtered",
  "unrouted",
  "failed",
  "paused",
  "pending",
] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** Outcomes after which a replay of all makes sense. */
export const REPLAYABLE = ["failed", "unrouted", "paused", "filtered", "ignored"] as const;
export type Replayable = (typeof REPLAYABLE)[number];

export interface TransformError {
  kind: string;
  message: string;
  /** In the source of the transform, from 1. */
  line: number | null;
  column: number | null;
  stack: string | null;
}

export interface LogLine {
  level: string;
  text: string;
}

export interface WebhookRequest {
  id: string;
  webhook_id: string;
  received_at: string;
  address: string;
  /** Of the body, bytes. */
  size: number;
  /** The branch environment that it names. */
  branch: string | null;
  status: RequestStatus;
  error: TransformError | null;
  logs: LogLine[];
  duration_ms: number | null;
  /** Of the transform that made the outcome. */
  version: number | null;
  environment: string | null;
  event_ids: string[];
  finished_at: string | null;
}

export interface WebhookRequestDetail extends WebhookRequest {
  method: string;
  /** Without the key. */
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string;
  body_encoding: "utf8" | "base64";
  /** What the transform returned, while it is routed nowhere. */
  events: unknown;
}

export interface RequestOutcome {
  status: RequestStatus;
  event_ids: string[];
}

export interface Replayed {
  outcomes: Partial<Record<RequestStatus, number>>;
  skipped: number;
  cursor: string | null;
}

/** Rows of one request of the list. */
const PAGE_ROWS = 100;
/** Requests of one step of a replay: few enough to see it move. */
const REPLAY_STEP = 50;

const requestPath = (id: string) => `v1/webhooks/requests/${encodeURIComponent(id)}`;
const listPath = (webhookId: string) => `v1/webhooks/${encodeURIComponent(webhookId)}/requests`;

/** Requests newest first, page by page. @param status outcomes separated by commas; empty for all */
export function requestListQuery(webhookId: string, status: string) {
  return infiniteQueryOptions({
    queryKey: ["webhook-requests", "list", webhookId, status],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      request<Page<WebhookRequest>>(listPath(webhookId), {
        query: { status, limit: PAGE_ROWS, cursor: pageParam },
        signal,
      }),
    getNextPageParam: ({ page }) => page.cursor ?? undefined,
  });
}

/** The newest requests alone. */
export function freshRequestsQuery(webhookId: string, status: string, limit: number) {
  return queryOptions({
    queryKey: ["webhook-requests", "fresh", webhookId, status, limit],
    async queryFn({ signal }) {
      const query = { status, limit };
      return (await request<Page<WebhookRequest>>(listPath(webhookId), { query, signal })).data;
    },
  });
}

/** One request with its payload. */
export function webhookRequestQuery(id: string) {
  return queryOptions({
    queryKey: ["webhook-requests", "one", id],
    async queryFn({ signal }) {
      return (await request<One<WebhookRequestDetail>>(requestPath(id), { signal })).data;
    },
  });
}

/** Run the transform in use on a request again. */
export async function replayRequest(id: string): Promise<RequestOutcome> {
  return (await request<One<RequestOutcome>>(`${requestPath(id)}/replay`, { method: "POST" })).data;
}

/** Send the events of an unrouted request to a branch. */
export async function routeRequest(id: string, environment: string): Promise<RequestOutcome> {
  const options = { method: "POST", body: { environment } } as const;
  return (await request<One<RequestOutcome>>(`${requestPath(id)}/route`, options)).data;
}

/** One step of a replay of all requests of some outcomes. @param cursor of the step before; null begins */
export async function replayStep(
  webhookId: string,
  status: readonly Replayable[],
  cursor: string | null,
  signal: AbortSignal,
): Promise<Replayed> {
  const path = `v1/webhooks/${encodeURIComponent(webhookId)}/replay`;
  const body = { status, limit: REPLAY_STEP, ...(cursor !== null && { cursor }) };
  return (await request<One<Replayed>>(path, { method: "POST", body, signal })).data;
}

type Inbox = InfiniteData<Page<WebhookRequest>, string | undefined>;
const LISTS = ["webhook-requests", "list"];

/** Read the lists anew from their beginning, however many pages of them were read before. */
export async function refreshInbox(queries: QueryClient): Promise<void> {
  queries.setQueriesData<Inbox>({ queryKey: LISTS }, (list) =>
    list === undefined
      ? undefined
      : { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
  );
  await queries.invalidateQueries({ queryKey: ["webhook-requests"] });
}

/** Read one request anew, and show it in the lists as it is now, where it stands. */
export async function refreshRequest(queries: QueryClient, id: string): Promise<void> {
  const now = await queries.fetchQuery({ ...webhookRequestQuery(id), staleTime: 0 });
  queries.setQueriesData<Inbox>({ queryKey: LISTS }, (list) =>
    list === undefined
      ? undefined
      : {
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            data: page.data.map((each) => (each.id === id ? now : each)),
          })),
        },
  );
  await queries.invalidateQueries({ queryKey: ["webhook-requests", "fresh"] });
}
