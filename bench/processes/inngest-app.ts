/** An app on the unmodified npm client `inngest`, with one function that does nothing. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Inngest } from "inngest";
import { serve } from "inngest/node";

const { baseUrl, signingKey } = JSON.parse(process.argv[2] ?? "{}");
const quiet = { info() {}, warn() {}, error() {}, debug() {} };
const client = new Inngest({
  id: "bench",
  baseUrl,
  isDev: signingKey === undefined,
  logger: quiet,
  eventKey: "bench",
  ...(signingKey === undefined ? {} : { signingKey }),
});
const noop = client.createFunction({ id: "noop", triggers: [{ event: "bench/noop" }] }, () => null);
const server = createServer(serve({ client, functions: [noop], servePath: "/api/svc" }));
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
