/** A production service with people in it: Ada, who owns it, and whoever she invites; and a real app that syncs. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@svc/sdk";
import { serve } from "@svc/sdk/node";
import type { Page } from "playwright-core";
import { type Answer, openBrowser } from "../../../test/browser.ts";
import { loadConfig } from "../../server/src/config.ts";
import { silentLogger } from "../../server/src/observe/log.ts";
import { startServer } from "../../server/src/server.ts";

export const PASSWORD = "an engine of 1842";
/** A millisecond a login: these tests are not about hashing. */
const FAST = { N: 2 ** 10, r: 8, p: 1 };

export interface Office {
  url: string;
  /** The link that the start has printed. */
  setupUrl: string;
  /** Ask the API as Ada. */
  ada(method: string, path: string, body?: unknown): Promise<Answer["body"]>;
  /** Bring somebody in; the address is `<name>@example.com`. @returns their id */
  join(role: string, name: string): Promise<string>;
  /** Make a page's browser that of a person. */
  become(page: Page, name: string): Promise<void>;
  close(): Promise<void>;
}

/** Start it, as `svc start` does. @param owned whether Ada has made the first account */
export async function startOffice(flags: string[] = [], owned = true): Promise<Office> {
  const args = ["--in-memory", "--host", "127.0.0.1", "--port", "0", ...flags];
  const server = await startServer(loadConfig("start", args, {}), {
    logger: silentLogger,
    passwordCost: FAST,
  });
  const owner = openBrowser(server.url);
  const setupUrl = server.setupUrl ?? "";
  if (owned) {
    const token = setupUrl.slice(setupUrl.indexOf("#") + 1);
    const account = { token, name: "Ada", email: "ada@example.com", password: PASSWORD };
    assert.equal((await owner.send("POST", "/v1/setup", account)).status, 200);
  }
  const ada: Office["ada"] = async (method, path, body) => {
    const answer = method === "GET" ? await owner.get(path) : await owner.send(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.body?.error}`);
    return answer.body;
  };
  return {
    url: server.url,
    setupUrl,
    ada,
    async join(role, name) {
      const { url } = (await ada("POST", "/v1/invitations", { role })).data;
      const email = `${name.toLowerCase()}@example.com`;
      const account = { token: url.slice(url.indexOf("#") + 1), name, email, password: PASSWORD };
      const joined = await openBrowser(server.url).send("POST", "/v1/invitations/accept", account);
      assert.equal(joined.status, 200, joined.body?.error);
      return joined.body.data.user.id as string;
    },
    async become(page, name) {
      await page.goto(`${server.url}/login`);
      const email = `${name.toLowerCase()}@example.com`;
      const status = await page.evaluate(
        async (body) => {
          const headers = { "content-type": "application/json" };
          return (await fetch("/v1/session", { method: "POST", headers, body: JSON.stringify(body) })).status;
        },
        { email, password: PASSWORD },
      );
      assert.equal(status, 200);
    },
    close: server.close,
  };
}

export interface TestApp {
  /** Where it serves its functions. */
  url: string;
  close(): void;
}

/** A real app with these functions, on a free port. */
export async function startApp(
  {
    baseUrl,
    signingKey,
    id = "shop",
    port = 0,
  }: { baseUrl: string; signingKey?: string; id?: string; port?: number },
  functions: string[],
): Promise<TestApp> {
  const client = new Client({
    id,
    baseUrl,
    ...(signingKey === undefined ? { isDev: true } : { signingKey }),
  });
  const made = functions.map((name) =>
    client.createFunction({ id: name, name }, { event: `shop/${name}` }, () => "done"),
  );
  const server = createServer(serve({ client, functions: made }));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  // A test that fails must not wait for it.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/svc`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
