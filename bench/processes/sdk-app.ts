/** An app on our SDK with the functions the benchmarks run; counts what ended and tells when asked. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "../../packages/sdk/src/index.ts";
import { serve } from "../../packages/sdk/src/node.ts";

const { baseUrl, signingKey } = JSON.parse(process.argv[2] ?? "{}");
const client = new Client({
  id: "bench",
  baseUrl,
  signingKey,
  eventKey: "bench",
  isDev: signingKey === undefined,
});
/** When each event reached its function, by the event's number. */
const calledAt: Record<number, number> = {};

const functions = [
  client.createFunction({ id: "noop" }, { event: "bench/noop" }, ({ event }) => {
    const n = event.data.n;
    if (typeof n === "number") calledAt[n] = performance.timeOrigin + performance.now();
    return null;
  }),
  client.createFunction({ id: "three" }, { event: "bench/three" }, async ({ step }) => {
    const a = await step.run("a", () => 1);
    const b = await step.run("b", () => a + 1);
    return step.run("c", () => b + 1);
  }),
];
const server = createServer(serve({ client, functions }));
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", (message) => {
  if (message === "calledAt") process.send?.({ calledAt });
});
