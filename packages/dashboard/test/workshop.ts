/** A real service with an app whose runs take every way: long, slow, failing, retried, sleeping, parallel. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, NonRetriableError } from "@svc/sdk";
import { serve } from "@svc/sdk/node";
import { API_TOKEN, startService, type TestService } from "../../../test/service.ts";

const SIGNING_KEY = `signkey-prod-${"ab".repeat(16)}`;

export interface Workshop {
  service: TestService;
  /** Send one event. @returns the id of the first run it has started */
  run(name: string, data?: unknown): Promise<string>;
  send(events: { name: string; data?: unknown }[]): Promise<string[]>;
  /** From now on invoices are sent. */
  mend(): void;
  /** Let the runs of `held` go on. */
  release(): void;
  /** Wait for a run to reach a status. */
  reaches(runId: string, status: string): Promise<void>;
  close(): Promise<void>;
}

/** Start both on free ports, and have the app synced. */
export async function startWorkshop(mode: "dev" | "start" = "dev"): Promise<Workshop> {
  const production = mode === "start";
  const flags = production ? ["--signing-key", SIGNING_KEY] : [];
  const service = await startService(mode, ["--retry-base", "40ms", ...flags]);
  const client = new Client({
    id: "works",
    baseUrl: service.url,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    ...(production ? { isDev: false, signingKey: SIGNING_KEY, eventKey: "unused" } : { isDev: true }),
  });
  const headers = production ? { authorization: `Bearer ${API_TOKEN}` } : {};
  const gates = new Set<() => void>();
  let mended = false;
  const functions = [
    client.createFunction({ id: "quick", name: "Quick work" }, { event: "work/quick" }, ({ event }) => ({
      done: event.data,
    })),
    client.createFunction(
      { id: "order", name: "Fulfil an order" },
      { event: "work/order", if: "event.data.n >= 0" },
      async ({ event, step }) => {
        const order = await step.run("load the order", () => ({ id: event.data.n, total: 129.5 }));
        await Promise.all([
          step.run("reserve stock", () => ({ warehouse: "Basel" })),
          step.run("charge the card", ({ attempt = 0 }: { attempt?: number } = {}) => ({ attempt })),
        ]);
        await step.sleep("let it settle", "60ms");
        return { shipped: order };
      },
    ),
    client.createFunction(
      { id: "flaky", name: "Flaky import", retries: 2 },
      { event: "work/flaky" },
      async ({ step, runId }) => {
        await step.run("fetch the feed", () => {
          const tries = (seen.get(runId) ?? 0) + 1;
          seen.set(runId, tries);
          if (tries < 3) throw new Error(`the feed answered 503 (try ${tries})`);
          return { rows: 17 };
        });
      },
    ),
    client.createFunction(
      { id: "broken", name: "Broken report", retries: 0 },
      { event: "work/broken" },
      () => {
        throw new NonRetriableError("the template has no heading");
      },
    ),
    client.createFunction(
      { id: "invoice", name: "Send an invoice", retries: 0 },
      { event: "work/invoice" },
      async ({ step }) => {
        const invoice = await step.run("draft the invoice", () => ({ number: 7 }));
        await step.run("send the invoice", () => {
          if (!mended) throw new NonRetriableError("the mail server is away");
        });
        return invoice;
      },
    ),
    client.createFunction({ id: "held", name: "Held job" }, { event: "work/held" }, async ({ step }) => {
      await step.run("wait for the gate", () => new Promise<void>((open) => gates.add(open)));
      return "through";
    }),
    client.createFunction(
      { id: "long", name: "Long list" },
      { event: "work/long" },
      async ({ event, step }) => {
        const count = Number(event.data.steps);
        for (let i = 0; i < count; i++) await step.run(`item ${i}`, () => i);
        return count;
      },
    ),
    client.createFunction(
      { id: "told", name: "Told job" },
      { event: "work/told" },
      async ({ event, step, logger }) => {
        logger.debug("begins", event.data);
        await step.run("speak", () => {
          logger.info("first line\n  second line");
          logger.warn("careful");
        });
        for (let n = 0; n < (event.data.lines ?? 0); n++) {
          if (n % 150 === 149) await step.run(`part ${n}`, () => n);
          logger.info(`line ${n}`, n % 10 === 0 ? "and more of it. ".repeat(30) : "");
        }
        if (event.data.hold)
          await step.run("wait for the gate", () => new Promise<void>((open) => gates.add(open)));
        logger.error(new Error("it ends here"));
      },
    ),
  ];
  const seen = new Map<string, number>();
  const app = createServer(serve({ client, functions }));
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}/api/svc`;
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(service.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  await post("/v1/apps", { url });
  const send = async (events: { name: string; data?: unknown }[]) => {
    const whole = events.map((event) => ({ data: {}, ...event }));
    return ((await post("/v1/events", whole)) as { data: { ids: string[] } }).data.ids;
  };
  return {
    service,
    send,
    async run(name, data = {}) {
      const [id] = await send([{ name, data }]);
      return (await service.runsOf(id!))[0]!.id;
    },
    mend() {
      mended = true;
    },
    release() {
      for (const open of gates) open();
      gates.clear();
    },
    reaches: (runId, status) =>
      service.eventually(async () => {
        const { data } = await service.api<{ data: { status: string } }>(`/v1/runs/${runId}`);
        if (data.status !== status) throw new Error(`the run is ${data.status}, not ${status}`);
      }),
    async close() {
      for (const open of gates) open();
      app.closeAllConnections();
      app.close();
      await service.close();
    },
  };
}
