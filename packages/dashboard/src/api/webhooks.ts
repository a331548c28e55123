/** Webhooks, their transforms and versions. Requests are in webhook-requests.ts. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";
import type { One, Page } from "./types.ts";
import type { LogLine, RequestStatus, TransformError } from "./webhook-requests.ts";

export interface Lists {
  allow: string[];
  deny: string[];
}

export interface RateLimit {
  requests: number;
  per: "second" | "minute" | "hour";
}

export interface Webhook {
  id: string;
  name: string;
  environment: string;
  /** Null for those who may not manage webhooks. */
  url: string | null;
  transform: string;
  version: number;
  event_filter: Lists | null;
  ip_filter: Lists | null;
  rate_limit: RateLimit | null;
  paused: boolean;
  created_at: string;
  created_by: string | null;
  updated_at: string;
  last_received_at: string | null;
  requests_24h: Partial<Record<RequestStatus, number>>;
}

export interface Sample {
  name: string;
  headers: Record<string, string>;
  query: string;
  body: string;
}

export interface Starter {
  id: string;
  name: string;
  summary: string;
  documentation_url: string;
  set_up: string;
  transform: string;
  samples: Sample[];
}

export interface TransformedEvent {
  name: string;
  data: Record<string, unknown>;
  id: string | null;
  /** ms since 1970. */
  ts: number;
}

/** What a transform makes of a request. */
export interface TransformResult {
  status: "events" | "ignored" | "filtered" | "failed";
  events: TransformedEvent[];
  logs: LogLine[];
  error: TransformError | null;
  duration_ms: number;
}

/** The same for a request that came, beside what the transform in use makes of it. */
export interface TriedRequest extends TransformResult {
  request_id: string;
  received_at: string;
  status_before: RequestStatus;
  /** Null when the transform in use fails. */
  events_before: TransformedEvent[] | null;
}

export interface Version {
  version: number;
  transform: string;
  created_at: string;
  created_by: string | null;
  restored_from: number | null;
  current: boolean;
}

/** A request put together by hand. */
export interface TestInput {
  /** Its text, as it would come; base64 when it is no text. */
  body: string;
  body_encoding: "utf8" | "base64";
  headers: Record<string, string>;
  query: string;
}

export type WebhookChange = Partial<
  Pick<Webhook, "name" | "transform" | "paused" | "event_filter" | "ip_filter" | "rate_limit">
> & { if_version?: number };

const LIST_ROWS = 200;
/** A service has 1,000 webhooks at most. */
const MAX_PAGES = 5;
/** Versions of one page of the history. */
const VERSION_ROWS = 50;

const pathOf = (id: string) => `v1/webhooks/${encodeURIComponent(id)}`;

/** All webhooks of an environment, oldest first. @param env empty for that of the credentials */
export function webhooksQuery(env: string) {
  return queryOptions({
    queryKey: ["webhooks", "list", env],
    async queryFn({ signal }) {
      const all: Webhook[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = { env, limit: LIST_ROWS, cursor };
        const answer = await request<Page<Webhook>>("v1/webhooks", { query, signal });
        all.push(...answer.data);
        if (answer.page.cursor === null) break;
        cursor = answer.page.cursor;
      }
      return all;
    },
  });
}

/** One webhook, whatever its environment. */
export function webhookQuery(id: string) {
  return queryOptions({
    queryKey: ["webhooks", "one", id],
    async queryFn({ signal }) {
      return (await request<One<Webhook>>(pathOf(id), { signal })).data;
    },
  });
}

/** Transforms to begin with, each with sample requests. */
export function startersQuery() {
  return queryOptions({
    queryKey: ["webhooks", "starters"],
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn({ signal }) {
      return (await request<{ data: Starter[] }>("v1/webhooks/starters", { signal })).data;
    },
  });
}

/** Versions of a transform, newest first, page by page. */
export function versionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ["webhooks", "versions", id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      request<Page<Version>>(`${pathOf(id)}/versions`, {
        query: { limit: VERSION_ROWS, cursor: pageParam },
        signal,
      }),
    getNextPageParam: ({ page }) => page.cursor ?? undefined,
  });
}

/** What a transform makes of a request put together by hand; the last answer stays until there is another. */
export function testQuery(transform: string, input: TestInput) {
  return queryOptions({
    queryKey: ["webhooks", "test", transform, input],
    // Each text is run once: it would come to the same again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    retry: false,
    async queryFn({ signal }) {
      const body = { transform, ...input };
      return (await request<One<TransformResult>>("v1/webhooks/test", { method: "POST", body, signal })).data;
    },
    placeholderData: (before) => before,
  });
}

/** What a transform would make of the last requests of a webhook. */
export function tryQuery(id: string, transform: string) {
  return queryOptions({
    queryKey: ["webhooks", "try", id, transform],
    staleTime: 0,
    gcTime: 0,
    async queryFn({ signal }) {
      const options = { method: "POST", body: { transform }, signal } as const;
      return (await request<{ data: TriedRequest[] }>(`${pathOf(id)}/try`, options)).data;
    },
  });
}

export async function createWebhook(body: {
  name: string;
  environment?: string;
  starter?: string;
}): Promise<Webhook> {
  return (await request<One<Webhook>>("v1/webhooks", { method: "POST", body })).data;
}

export async function updateWebhook(id: string, change: WebhookChange): Promise<Webhook> {
  return (await request<One<Webhook>>(pathOf(id), { method: "PATCH", body: change })).data;
}

/** Give it a new address; the old one ends at once. */
export async function rotateWebhook(id: string): Promise<Webhook> {
  return (await request<One<Webhook>>(`${pathOf(id)}/rotate`, { method: "POST" })).data;
}

export async function deleteWebhook(id: string): Promise<void> {
  await request(pathOf(id), { method: "DELETE" });
}

/** Use an older version again, as the next one. */
export async function restoreVersion(id: string, version: number): Promise<void> {
  await request(`${pathOf(id)}/versions/${version}/restore`, { method: "POST" });
}

/** What filters let in: null where nothing was asked or there is no filter. */
export interface FilterVerdict {
  event: boolean | null;
  ip: boolean | null;
}

/** Whether an event or an address would pass filters that need not be saved. */
export function filterTestQuery(
  filters: Pick<Webhook, "event_filter" | "ip_filter">,
  asked: { event?: string; ip?: string },
) {
  return queryOptions({
    queryKey: ["webhooks", "filter", filters, asked],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    retry: false,
    async queryFn({ signal }) {
      const options = { method: "POST", body: { ...filters, ...asked }, signal } as const;
      return (await request<One<FilterVerdict>>("v1/filters/test", options)).data;
    },
  });
}
