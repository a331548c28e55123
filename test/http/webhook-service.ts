/** The service with what tests of webhooks do again and again: create one, send to it, look into its inbox. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUlidGenerator } from "@svc/protocol";
import { openSqlite } from "../../packages/server/src/store/sqlite/open.ts";
import { API_TOKEN, startService, type TestService } from "../service.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Json = any;

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

export interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
  /** With its question mark. */
  query?: string;
}

export interface WebhookService extends TestService {
  /** Call the API. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Create a webhook whose transform is the body of a function, unless a whole one is given. */
  create(returns: string, settings?: Record<string, unknown>): Promise<Json>;
  /** Send a request to a webhook; objects are sent as JSON. */
  send(url: string, body: unknown, options?: SendOptions): Promise<Answer>;
  /** The inbox, newest first. */
  requests(webhook: { id: string }): Promise<Json[]>;
  /** The newest request with its payload. */
  newest(webhook: { id: string }): Promise<Json>;
  eventsNamed(name: string, environment?: string): Promise<Json[]>;
}

export const EVENT_KEY = "event-key-beside-webhooks";

/** Branch environments that `startWebhookService` makes beside each other, the last one archived. */
export const BRANCHES = ["feature/a", "b", "archived"] as const;

/** Start the service; in production with the branch environments above. */
export async function startWebhookService(
  mode: "dev" | "start",
  flags: string[] = [],
): Promise<WebhookService> {
  const dataDir = mode === "start" ? await directoryWithBranches() : null;
  const kept = dataDir === null ? [] : ["--data-dir", dataDir, "--event-key", EVENT_KEY];
  const service = await startService(mode, [...kept, ...flags]);
  return {
    ...webhookClient(service),
    async close() {
      await service.close();
      if (dataDir !== null) await rm(dataDir, { recursive: true });
    },
  };
}

export function webhookClient<T extends Pick<TestService, "url" | "api">>(service: T) {
  const call: WebhookService["call"] = async (method, path, body) => {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${API_TOKEN}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return read(response);
  };
  const requests: WebhookService["requests"] = async ({ id }) =>
    (await call("GET", `/v1/webhooks/${id}/requests?limit=200`)).body.data;
  return {
    ...service,
    call,
    async create(returns: string, settings: Record<string, unknown> = {}) {
      const transform = `function transform(evt, headers, queryParams, raw) { ${returns} }`;
      const { status, body } = await call("POST", "/v1/webhooks", { name: "Hook", transform, ...settings });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.data;
    },
    async send(url: string, body: unknown, { method = "POST", headers = {}, query = "" }: SendOptions = {}) {
      const raw = typeof body === "string" || body instanceof Uint8Array;
      const bodiless = method === "GET" || method === "HEAD";
      const response = await fetch(url + query, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(bodiless ? {} : { body: (raw ? body : JSON.stringify(body)) as string }),
      });
      return read(response);
    },
    requests,
    async newest(webhook: { id: string }) {
      const [request] = await requests(webhook);
      return (await call("GET", `/v1/webhooks/requests/${request.id}`)).body.data;
    },
    eventsNamed: async (name: string, environment?: string) =>
      (
        await call(
          "GET",
          `/v1/events?limit=200&name=${encodeURIComponent(name)}${environment === undefined ? "" : `&env=${encodeURIComponent(environment)}`}`,
        )
      ).body.data,
  };
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? null : JSON.parse(text),
  };
}

/** A data directory in which the branches are there already: apps make them by their first sync. */
async function directoryWithBranches(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-webhooks-"));
  const store = await openSqlite({ dataDir, now: Date.now });
  const nextId = createUlidGenerator();
  const author = () => ({
    auditId: nextId(Date.now()),
    now: Date.now(),
    kind: "service",
    id: null,
    name: "test",
    address: null,
  });
  for (const name of BRANCHES) {
    const id = nextId(Date.now());
    await store.execute("createEnvironment", { author: author(), id, name, type: "branch" });
    if (name === "archived")
      await store.execute("archiveEnvironment", { author: author(), id, archived: true });
  }
  await store.close();
  return dataDir;
}
