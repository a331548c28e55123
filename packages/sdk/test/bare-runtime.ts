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

const client = new Client({
  id: "app",
  isDev: true,
  signingKey: "abcd",
  fetch: async () => new Response(""),
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
];
const handler = serve({ client, functions });
for (const id of ["steps", "parallel", "nested"]) {
  const body = JSON.stringify({
    event: { name: "e", data: {} },
    steps: {},
    ctx: { run_id: "r", attempt: 0, max_attempts: 1 },
  });
  const url = `http://app/api/svc?fnId=app-${id}&stepId=step`;
  const response = await handler(new Request(url, { method: "POST", body }));
  log(`${response.status} ${await response.text()}`);
}
