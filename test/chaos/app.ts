/**
 * The app of the crash suite, in a process of its own: it lives through every kill of the service and keeps the
 * journal of what was executed. Entered by `app-process.ts` with an IPC channel; keys and the service's address come
 * from the environment.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, NonRetriableError, type SvcFunction } from "../../packages/sdk/src/index.ts";
import { serve } from "../../packages/sdk/src/node.ts";
import { APP, FUNCTIONS, linkKeys, SHAKY_STEP, WHOLE_BODY } from "./functions.ts";
import { createJournal } from "./journal.ts";

/** What the process says. */
export type AppMessage =
  | { type: "listening"; port: number }
  | { type: "histories"; histories: ReturnType<typeof journal.histories> };

const journal = createJournal();

const client = new Client({
  id: APP,
  logger: { debug() {}, info() {}, warn() {}, error() {} },
  async fetch(url, init) {
    const response = await fetch(url, init);
    const checkpoint = /\/v1\/checkpoint\/([^/]+)\//.exec(url);
    // The step is durable from the moment the service says so, which is before the SDK hears of it.
    if (checkpoint !== null && response.status === 200) noteAcknowledged(checkpoint[1]!, String(init?.body));
    return response;
  },
});

function noteAcknowledged(runId: string, body: string): void {
  const { steps } = JSON.parse(body) as { steps: { userland: { id: string } }[] };
  for (const step of steps) journal.acknowledged(runId, step.userland.id);
}

/** A piece of work that says which execution it was, and that takes 0 to 15 ms, so that kills find it under way. */
function work(runId: string, step: string): () => Promise<{ execution: number }> {
  return async () => {
    const execution = journal.began(runId, step);
    const ms = execution % 16;
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    return { execution };
  };
}

const { plain, sequence, parallel, sleeper, chain, link, flaky, doomed } = FUNCTIONS;

const functions: SvcFunction[] = [
  client.createFunction({ id: "plain" }, on(plain), ({ runId }) => work(runId, WHOLE_BODY)()),
  client.createFunction({ id: "sequence" }, on(sequence), async ({ step, runId }) => {
    const outputs = [];
    for (const name of sequence.steps) outputs.push(await step.run(name, work(runId, name)));
    return outputs;
  }),
  client.createFunction({ id: "parallel" }, on(parallel), ({ step, runId }) =>
    Promise.all(parallel.steps.map((name) => step.run(name, work(runId, name)))),
  ),
  client.createFunction({ id: "sleeper" }, on(sleeper), async ({ step, runId }) => {
    const before = await step.run("before", work(runId, "before"));
    await step.sleep("pause", "150ms");
    return [before, await step.run("after", work(runId, "after"))];
  }),
  client.createFunction({ id: "chain" }, on(chain), async ({ step, runId }) => {
    const before = await step.run("before", work(runId, "before"));
    const [first, second] = linkKeys(runId);
    const { ids } = await step.sendEvent("send", [
      { name: "chaos/link", data: { key: first } },
      { name: "chaos/link", data: { key: second }, id: second! },
    ]);
    return [before, { ids }, await step.run("after", work(runId, "after"))];
  }),
  client.createFunction({ id: "link" }, on(link), async ({ step, runId }) => [
    await step.run("only", work(runId, "only")),
  ]),
  client.createFunction({ id: "flaky" }, on(flaky), async ({ step, runId, attempt }) => {
    const steady = await step.run("steady", work(runId, "steady"));
    const shaky = await step.run(SHAKY_STEP, async () => {
      const output = await work(runId, SHAKY_STEP)();
      if (attempt === 0) throw new Error("this attempt is meant to fail");
      return output;
    });
    return [steady, shaky];
  }),
  client.createFunction(
    { id: "doomed", onFailure: ({ runId }) => work(runId, WHOLE_BODY)() },
    on(doomed),
    async ({ step, runId }) => {
      await step.run("steady", work(runId, "steady"));
      throw new NonRetriableError("this function is meant to fail");
    },
  ),
];

function on({ triggers }: { triggers: string[] }): { event: string }[] {
  return triggers.map((event) => ({ event }));
}

function tell(message: AppMessage): void {
  process.send?.(message);
}

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  server.on("request", serve({ client, functions, serveOrigin: `http://127.0.0.1:${port}` }));
  tell({ type: "listening", port });
});
process.on("message", () => tell({ type: "histories", histories: journal.histories() }));
// Whoever started it is gone: so is its reason to be.
process.on("disconnect", () => process.exit(0));
