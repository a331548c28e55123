/**
 * A process without what only Node has: no setImmediate, no built-in modules, and with an argument no
 * MessageChannel either. (Node's own Request needs Buffer, so that one stays.) Calls functions through the fetch adapter and prints what they answer.
 */
const bare = globalThis as Record<string, unknown>;
for (const name of ["setImmediate", ...process.argv.slice(2)]) bare[name] = undefined;
const { log } = console;
bare.process = undefined;

const { Client } = await import("../src/index.ts");
const { serve } = await import("../src/fetch.ts");
const { sha1 } = await import("@svc/protocol");

const client = new Client({
  id: "app",
  isDev: true,
  signingKey: "abcd",
  fetch: async () => new Response(""),
  logger: { debug() {}, info() {}, warn() {}, error() {} },
});
const functions = [
  client.createFunction({ id: "steps" }, "e", async ({ step }) => {
    const a = await step.run("a", async () => "é");
    return a + (await step.run("b", () => "b"));
  }),
  client.createFunction({ id: "parallel" }, "e", ({ step }) =>
    Promise.all([step.run("a", () => 1), step.run("b", () => 2)]),
  ),
  client.createFunction({ id: "nested" }, "e", ({ step }) =>
    step.run("outer", async () => {
      await Promise.resolve();
      await step.run("inner", () => 1);
    }),
  ),
  client.createFunction({ id: "logged" }, "e", async ({ step, logger }) => {
    logger.info("before");
    await Promise.all(
      ["a", "b"].map((id) =>
        step.run(id, async () => {
          await Promise.resolve();
          logger.info("in", { step: id });
        }),
      ),
    );
  }),
];
const handler = serve({ client, functions });
for (const [id, stepId] of [
  ["steps", "step"],
  ["parallel", "step"],
  ["nested", "step"],
  ["logged", "step"],
  ["logged", sha1("b")],
]) {
  const body = JSON.stringify({
    event: { name: "e", data: {} },
    steps: {},
    ctx: { run_id: "r", attempt: 0, max_attempts: 1 },
  });
  const url = `http://app/api/svc?fnId=app-${id}&stepId=${stepId}`;
  const headers = { "x-svc-logs": "1" };
  const response = await handler(new Request(url, { method: "POST", headers, body }));
  log(`${response.status} ${await response.text()}`);
}
