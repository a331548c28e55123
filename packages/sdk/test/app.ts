/** Start an app on a real port for one test, together with a service to call it. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { Client, type ClientOptions, type EventSchemas, type SvcFunction } from "../src/index.ts";
import { serve } from "../src/node.ts";
import { type MiniService, type RunOptions, type RunRecord, startMiniService } from "./mini-service.ts";

export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Listen on a free port until the test ends. */
export async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface TestApp {
  client: Client;
  service: MiniService;
  url: string;
  /** Run a function to its end for an event with this data. */
  run(fnId: string, data?: Record<string, unknown>, options?: RunOptions): Promise<RunRecord>;
}

/** A dev-mode app with the given functions, served by node:http. */
export async function startApp<S extends EventSchemas>(
  t: TestContext,
  define: (client: Client) => SvcFunction[],
  options: Partial<ClientOptions<S>> = {},
): Promise<TestApp> {
  const service = await startMiniService(options.signingKey);
  t.after(() => service.close());
  const client = new Client({
    id: "app",
    baseUrl: service.url,
    isDev: !options.signingKey,
    logger: silent,
    ...options,
  } as ClientOptions) as Client;
  const origin = await listen(t, serve({ client, functions: define(client) }));
  const url = `${origin}/api/svc`;
  return {
    client,
    service,
    url,
    run: (fnId, data = {}, runOptions = {}) =>
      service.run(url, `app-${fnId}`, { name: "test/event", data }, runOptions),
  };
}
