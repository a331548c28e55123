/** Serves the functions at /api/svc. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@svc/sdk/node";
import { client } from "./client.ts";
import { clerk, github, intercom, linear, resend, shopify, slack, stripe } from "./functions.ts";

const functions = [stripe, github, clerk, resend, shopify, slack, linear, intercom];
const server = createServer(serve({ client, functions }));
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`webhooks listens on http://127.0.0.1:${port}/api/svc`);
});
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => server.close(() => process.exit()));
