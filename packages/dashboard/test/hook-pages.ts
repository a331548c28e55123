/** Tests of the pages of webhooks: two real services and one browser for each file. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isBuilt } from "../source-hash.mjs";
import { type Browser, executablePath, startBrowser, type TestPage } from "./browser.ts";
import { type Hooks, startHooks } from "./hooks.ts";

const skip = executablePath === undefined ? "there is no Chromium on this machine" : false;

/** `svc dev`, with nothing in it at first. */
export let dev: Hooks;
/** A service in production, with branches and permissions. */
export let production: Hooks;
let browser: Browser;

before(async () => {
  if (skip) return;
  assert.ok(isBuilt(), "The dashboard is not built: run `npm run build -w packages/dashboard`.");
  [dev, production, browser] = await Promise.all([startHooks("dev"), startHooks("start"), startBrowser()]);
});
after(async () => {
  await browser?.close();
  await dev?.service.close();
  await production?.service.close();
});

interface Look {
  width?: number;
  height?: number;
  scheme?: "light" | "dark";
  /** Production, with this token. */
  token?: string;
}

/** Open pages of the dashboard; afterwards nothing may have been complained of, but for what a test expects. */
export function dashboardTest(
  name: string,
  run: (open: (path: string, look?: Look) => Promise<TestPage>) => Promise<void>,
  { expected }: { expected?: RegExp } = {},
) {
  test(name, { skip, timeout: 60_000 }, async () => {
    const pages: TestPage[] = [];
    try {
      await run(async (path, { token, ...look } = {}) => {
        const page = await browser.open("about:blank", look);
        pages.push(page);
        if (token !== undefined) {
          await page.addInitScript((text) => sessionStorage.setItem("svc-api-token", text), token);
        }
        await page.goto((token === undefined ? dev : production).service.url + path);
        return page;
      });
      for (const { complaints } of pages) {
        assert.deepEqual(
          complaints.filter((text) => expected?.test(text) !== true),
          [],
        );
      }
    } finally {
      for (const page of pages) await page.close();
    }
  });
}

/** The requests of a webhook, newest first. */
export async function requestsOf(hooks: Hooks, id: string): Promise<{ id: string; status: string }[]> {
  return (await hooks.call("GET", `/v1/webhooks/${id}/requests`)).data;
}

/** The part of the page where a transform is tried. */
export const tester = (page: TestPage) => page.getByRole("region", { name: "Tester" });

/** The table of requests. */
export const inbox = (page: TestPage) => page.getByRole("table", { name: "Requests" });
