/**
 * Unmodified clients of the public Inngest SDK specification, from npm, against the running service: the newest major
 * version and the one before, development and production mode, with and without checkpointing.
 */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { API_TOKEN, type ApiRun, startService, type TestService } from "../service.ts";

const EVENT_KEY = "interop-event-key";
const SIGNING_KEY = `signkey-prod-${"ab".repeat(32)}`;

export interface Variant {
  version: "v4" | "v3";
  mode: "dev" | "start";
  checkpointing: boolean;
}

/** What every client must see, in one variant. One major version a process: they share global state. */
export function interoperates(variant: Variant): void {
  const { version, mode, checkpointing } = variant;
  describe(`inngest ${version}, svc ${mode}, checkpointing ${checkpointing ? "on" : "off"}`, () => {
    let service: TestService;
    let app: Awaited<ReturnType<typeof startApp>>;

    before(async () => {
      const flags = ["--retry-base", "20ms"];
      if (mode === "start") flags.push("--event-key", EVENT_KEY, "--signing-key", SIGNING_KEY);
      service = await startService(mode, flags);
      app = await startApp(service.url, variant);
      await app.sync();
    });
    after(async () => {
      await app?.close();
      await service?.close();
    });

    const run = async (name: string, data: Record<string, unknown> = {}) => {
      const { ids } = await app.client.send({ name, data });
      return service.finishedRun(ids[0]);
    };

    test("a plain function runs and its output is kept", async () => {
      const { status, output, error } = await run("t/plain", { x: 1 });
      assert.deepEqual([status, output, error], ["completed", { got: { x: 1 } }, null]);
    });

    test("steps, a sleep and step.sendEvent each happen once, in order", async () => {
      const { status, output, steps } = await run("t/steps");
      assert.equal(status, "completed");
      const { a, sent } = output as { a: number; sent: { ids: string[] } };
      assert.equal(a, 1);
      assert.equal(app.counts.get("first step"), 1);
      assert.equal((await service.event(sent.ids[0]!)).name, "t/other");
      assert.deepEqual(
        steps.map(({ name, status }) => `${name} ${status}`),
        ["first step completed", "nap completed", "send it completed"],
      );
    });

    test("parallel steps run side by side and come back together", async () => {
      const { output } = await run("t/parallel");
      assert.equal(output, "AB");
      assert.deepEqual([app.counts.get("a"), app.counts.get("b")], [1, 1]);
    });

    test("a function that throws is tried again until it succeeds", async () => {
      const { status, output, attempts } = await run("t/retry");
      assert.deepEqual([status, output, attempts], ["completed", "third time", 3]);
    });

    test("a step that keeps failing hands its error to the function", async () => {
      const { output } = await run("t/flaky");
      assert.equal(output, "caught always");
      assert.equal(app.counts.get("boom"), 2);
    });

    test("a non-retriable error ends the run and starts onFailure", async () => {
      const { status, attempts } = await run("t/fails");
      assert.deepEqual([status, attempts], ["failed", 1]);
      await service.eventually(() => assert.deepEqual(app.failures, ["no good"]));
    });

    test("a call whose event has numbers for keys is taken, whatever order they were sent in", async () => {
      const data = { 10: "ten", 9: "nine", a: { 2: 2, 11: 11 } };
      const { output } = await run("t/plain", data);
      assert.deepEqual(output, { got: data });
    });

    test("a rerun that keeps what completed runs only the rest", async () => {
      const { id, status, steps } = await run("t/mend");
      assert.deepEqual([status, steps[0]?.name], ["failed", "before"]);
      const response = await fetch(`${service.url}/v1/runs/${id}/rerun`, {
        method: "POST",
        headers: { authorization: `Bearer ${API_TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify({ keep_completed: true }),
      });
      const { data } = (await response.json()) as { data: { id: string } };
      await service.eventually(async () => {
        const again = await service.api<{ data: ApiRun }>(`/v1/runs/${data.id}`);
        assert.deepEqual([again.data.status, again.data.output], ["completed", "kept 1"]);
      });
      assert.equal(app.counts.get("before"), 1);
    });

    test("an event sent twice with one id runs once", async () => {
      const id = `order-${variant.mode}`;
      const first = await app.client.send({ name: "t/plain", data: {}, id });
      const second = await app.client.send({ name: "t/plain", data: {}, id });
      assert.deepEqual(first.ids, second.ids);
      await service.finishedRun(first.ids[0]);
    });

    test("a function whose `if` does not hold is not started", async () => {
      const { ids } = await app.client.send([
        { name: "t/if", data: { ok: false } },
        { name: "t/if", data: { ok: true } },
      ]);
      await service.finishedRun(ids[1]);
      assert.equal((await service.runsOf(ids[0])).length, 0);
    });
  });
}

/** The client library of a variant; its two majors differ in how functions are declared. */
async function startApp(serviceUrl: string, { version, mode, checkpointing }: Variant) {
  // biome-ignore lint/suspicious/noExplicitAny: the two majors have no type in common
  const library: any = await import(version === "v4" ? "inngest" : "inngest-v3");
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const { serve }: any = await import(version === "v4" ? "inngest/node" : "inngest-v3/node");
  const quiet = { info() {}, warn() {}, error() {}, debug() {} };
  const client = new library.Inngest({
    id: `interop-${version}`,
    baseUrl: serviceUrl,
    isDev: mode === "dev",
    logger: quiet,
    ...(mode === "start" ? { eventKey: EVENT_KEY, signingKey: SIGNING_KEY } : {}),
    ...(version === "v4" ? { checkpointing } : {}),
  });
  const counts = new Map<string, number>();
  const failures: string[] = [];
  const count = (what: string) => {
    const next = (counts.get(what) ?? 0) + 1;
    counts.set(what, next);
    return next;
  };
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const declare = (options: object, trigger: object, handler: (context: any) => unknown) =>
    version === "v4"
      ? client.createFunction({ ...options, triggers: [trigger] }, handler)
      : client.createFunction(options, trigger, handler);

  const functions = [
    declare({ id: "plain" }, { event: "t/plain" }, ({ event }) => ({ got: event.data })),
    declare({ id: "steps" }, { event: "t/steps" }, async ({ step }) => {
      const a = await step.run("first step", () => count("first step"));
      await step.sleep("nap", "20ms");
      const sent = await step.sendEvent("send it", { name: "t/other", data: { a } });
      return { a, sent };
    }),
    declare({ id: "parallel" }, { event: "t/parallel" }, async ({ step }) => {
      const both = await Promise.all([
        step.run("a", () => {
          count("a");
          return "A";
        }),
        step.run("b", () => {
          count("b");
          return "B";
        }),
      ]);
      return both.join("");
    }),
    declare({ id: "retry" }, { event: "t/retry" }, () => {
      if (count("retry") < 3) throw new Error("not yet");
      return "third time";
    }),
    declare({ id: "flaky", retries: 1 }, { event: "t/flaky" }, async ({ step }) => {
      try {
        return await step.run("boom", () => {
          count("boom");
          throw new Error("always");
        });
      } catch (error) {
        return `caught ${(error as Error).message}`;
      }
    }),
    declare(
      {
        id: "fails",
        onFailure: ({ error }: { error: Error }) => {
          failures.push(error.message);
        },
      },
      { event: "t/fails" },
      () => {
        throw new library.NonRetriableError("no good");
      },
    ),
    declare({ id: "mend" }, { event: "t/mend" }, async ({ step }) => {
      const before = await step.run("before", () => count("before"));
      if (count("mended") === 1 || before === undefined) throw new library.NonRetriableError("to be mended");
      return `kept ${before}`;
    }),
    declare({ id: "if" }, { event: "t/if", if: "event.data.ok == true" }, () => "ran"),
  ];
  const server = createServer(
    serve({
      client,
      functions,
      ...(version === "v3" ? { baseUrl: serviceUrl, logLevel: "silent" } : {}),
      ...(version === "v3" && mode === "start" ? { signingKey: SIGNING_KEY } : {}),
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/inngest`;
  return {
    client,
    counts,
    failures,
    async sync() {
      const response = await fetch(url, { method: "PUT" });
      assert.equal(response.status, 200, await response.text());
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
