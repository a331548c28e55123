/** The room of webhooks over a real store, with transforms that a test answers for and time that it moves. */
import { createUlidGenerator } from "@svc/protocol";
import { createSealer } from "../src/access/keys/secrets.ts";
import { createIngest } from "../src/ingest/ingest.ts";
import { silentLogger } from "../src/observe/log.ts";
import type { Author } from "../src/store/commands/record-change.ts";
import type { RequestStatus } from "../src/store/webhook-records.ts";
import { createWebhookDirectory } from "../src/webhooks/directory.ts";
import { createWebhookOperations, type WebhookSettings } from "../src/webhooks/operations.ts";
import { createReceiver, type IncomingRequest } from "../src/webhooks/receiver.ts";
import type { TransformJob, TransformOutcome } from "../src/webhooks/sandbox/outcome.ts";
import { manualClock } from "./manual-clock.ts";
import { testAccess } from "./test-access.ts";

export const T0 = 1_700_000_000_000;

const nextAuditId = createUlidGenerator();

/** Somebody who changes something now. */
export function author(now = T0): Author {
  return { auditId: nextAuditId(now), now, kind: "token", id: "t", name: "tester", address: null };
}

/** What a sandbox answers when a transform returned a value. */
export function returned(value: unknown): TransformOutcome {
  return { status: "returned", value: JSON.stringify(value), logs: [], durationMs: 1 };
}

export function failed(message: string): TransformOutcome {
  const error = { kind: "runtime" as const, name: "Error", message, line: 1, column: 2 };
  return { status: "failed", error, logs: [], durationMs: 1 };
}

export async function webhookHarness() {
  const { access, store, close } = await testAccess("start");
  const clock = manualClock(T0);
  const nextId = createUlidGenerator();
  const finished: RequestStatus[] = [];
  const jobs: TransformJob[] = [];
  const ingest = createIngest({
    store,
    registry: { match: () => [], find: () => undefined, dialectOf: () => "svc" },
    executor: { accepted: () => {} },
    clock,
    nextId,
    observer: { received: () => {}, duplicates: () => {} },
  });
  const directory = await createWebhookDirectory(store, clock);
  let transform = async (_job: TransformJob): Promise<TransformOutcome> => returned(null);
  const receiver = createReceiver({
    store,
    directory,
    ingest,
    environments: access.environments,
    clock,
    logger: silentLogger,
    nextId,
    observer: { finished: (status) => finished.push(status) },
    sandbox: {
      run(job) {
        jobs.push(job);
        return transform(job);
      },
    },
  });
  const operations = createWebhookOperations({
    store,
    directory,
    receiver,
    sandbox: { check: async () => null },
    environments: access.environments,
    sealer: createSealer("test"),
    clock,
    nextId,
  });
  return {
    access,
    store,
    clock,
    directory,
    receiver,
    operations,
    /** Outcomes in the order they were stored. */
    finished,
    /** What the sandbox was asked for. */
    jobs,
    /** Stands for the transform of every webhook, or for a sandbox that has too much to do. */
    answer(by: typeof transform) {
      transform = by;
    },
    async create(env = "production", { paused, ...settings }: WebhookSettings = {}) {
      const { name = "hook", transform = "transform = () => null" } = settings;
      const fields = { ...settings, name, transform };
      const created = await operations.create(author(), env, fields);
      return paused === undefined ? created : operations.update(author(), created.id, { paused });
    },
    async createBranch(name: string, archived = false) {
      const id = nextId(T0);
      await store.execute("createEnvironment", { author: author(), id, name, type: "branch" });
      if (archived) await store.execute("archiveEnvironment", { author: author(), id, archived });
      await access.reload();
      return id;
    },
    requests: async (webhookId: string, statuses: RequestStatus[] | null = null) =>
      (await store.query("listWebhookRequests", { webhookId, statuses, cursor: null, limit: 10_000 }))
        .requests,
    /** The one request that a webhook has received. */
    async theRequest(webhookId: string) {
      const { requests, next } = await store.query("listWebhookRequests", {
        webhookId,
        statuses: null,
        cursor: null,
        limit: 1,
      });
      if (requests.length !== 1 || next !== null) throw new Error("there is not one request");
      return (await store.query("findWebhookRequest", { id: requests[0]!.id }))!;
    },
    /** How many events an environment has. */
    events: async (env = "production") =>
      (
        await store.query("listEvents", {
          env,
          names: null,
          except: null,
          id: null,
          source: null,
          text: null,
          after: 0,
          before: Number.MAX_SAFE_INTEGER,
          cursor: null,
          limit: 200,
          maxBytes: 1e6,
        })
      ).events,
    request: async (id: string) => (await store.query("findWebhookRequest", { id }))!,
    async close() {
      receiver.stop();
      await close();
    },
  };
}

export type WebhookHarness = Awaited<ReturnType<typeof webhookHarness>>;

/** A request as `http/` hands it on. */
export function incoming(body: string | Uint8Array = "{}", more: Partial<IncomingRequest> = {}) {
  return {
    method: "POST",
    path: "/e/…",
    query: "",
    rawHeaders: ["content-type", "application/json"],
    body: Buffer.from(body as string),
    address: "127.0.0.1",
    ...more,
  } satisfies IncomingRequest;
}

/** Wait until a condition holds, by turns of the event loop and no clock. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let turns = 0; !(await condition()); turns++) {
    if (turns === 20_000) throw new Error(`it never came true: ${condition}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
