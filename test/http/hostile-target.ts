/** The whole service as a target: a process of its own with an app that works, and what it must still do afterwards. */
import assert from "node:assert/strict";
import { hashSigningKey } from "@svc/protocol";
import { done, type ScriptedApp, scriptedApp } from "../../packages/server/test/scripted-app.ts";
import { API_TOKEN } from "../service.ts";
import { type ServiceProcess, startServiceProcess } from "../service-process.ts";
import { jsonText } from "./hostile-requests.ts";
import { assertHonest, exchange, type RawAnswer, type RawRequest, requestBytes } from "./raw-http.ts";

export const EVENT_KEY = "hostile-input-event-key";
const SIGNING_KEY = `signkey-prod-${"ab".repeat(16)}`;
/** What an app shows of that key. */
const SIGNING_HASH = await hashSigningKey(SIGNING_KEY);

/** What tells a service that hangs from a machine that is busy; how fast it is, the benchmarks say. */
export const MAX_HEALTH_MS = 1_000;

export interface Target {
  service: ServiceProcess;
  app: ScriptedApp;
  /** What the app does in a call of `shop/checkpointed`. */
  inCall: (call: { runId: string; token: string }) => Promise<void>;
  /** The value of an `authorization` header that opens a path. */
  credentials(path: string): string;
  /** Send one request; the answer has been found honest. */
  send(fields: Partial<RawRequest>): Promise<RawAnswer>;
  /** Post a JSON value, or a text as it is, with the credentials that suit. */
  post(path: string, body: unknown): Promise<RawAnswer>;
  /** Send an event. @returns its id */
  sendEvent(name: string): Promise<string>;
  /** A normal event still runs a normal function, and nothing was logged as a fault of the service. */
  worksStill(): Promise<void>;
  /** Do something during which `/health` must go on answering. */
  healthy(act: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** Start the service and the app, and make them known to each other. */
export async function startTarget(mode: "dev" | "start"): Promise<Target> {
  const keys = ["--event-key", EVENT_KEY, "--signing-key", SIGNING_KEY];
  const service = await startServiceProcess(mode, mode === "dev" ? [] : keys);
  const app = await scriptedApp(async ({ body }) => {
    if (body.event.name === "shop/checkpointed") {
      await target.inCall({ runId: body.ctx.run_id, token: body.ctx.qi_id });
    }
    return done("fine");
  });
  const target: Target = {
    service,
    app,
    inCall: async () => {},
    credentials: (path) => `Bearer ${/^\/(fn|v0|v1\/checkpoint)/.test(path) ? SIGNING_HASH : API_TOKEN}`,
    async send(fields) {
      const empty = { method: "POST", target: `/e/${EVENT_KEY}`, headers: {}, body: Buffer.alloc(0) };
      const sent = { ...empty, ...fields };
      const [answer, ...more] = await exchange(service.port, requestBytes(sent));
      assert.ok(
        answer !== undefined && more.length === 0,
        `no single answer to ${sent.method} ${sent.target}`,
      );
      assertHonest(answer, sent.method);
      return answer;
    },
    post: (path, body) =>
      target.send({
        target: path,
        headers: { authorization: target.credentials(path) },
        body: Buffer.from(typeof body === "string" ? body : jsonText(body)),
      }),
    async sendEvent(name) {
      const { status, body } = await target.post(`/e/${EVENT_KEY}`, { name, data: {} });
      assert.equal(status, 200, body);
      return (JSON.parse(body) as { ids: [string] }).ids[0];
    },
    async worksStill() {
      const run = await service.finishedRun(await target.sendEvent("shop/checked"));
      assert.deepEqual([run.status, run.output], ["completed", "fine"]);
      assert.deepEqual(service.complaints, []);
    },
    async healthy(act) {
      const slowestHealth = service.watchHealth();
      await act().finally(async () => {
        const slowest = await slowestHealth();
        assert.ok(slowest <= MAX_HEALTH_MS, `/health took ${slowest} ms`);
      });
    },
    async close() {
      await service.close();
      await app.close();
    },
  };
  const fn = (name: string) => ({
    id: `shop-${name}`,
    triggers: [{ event: `shop/${name}` }],
    steps: { step: { runtime: { url: `${app.url}?fnId=shop-${name}` } } },
  });
  const functions = [fn("checked"), fn("checkpointed")];
  const answer = await target.post("/fn/register", { url: app.url, appName: "shop", functions });
  assert.equal(answer.status, 200, answer.body);
  return target;
}
