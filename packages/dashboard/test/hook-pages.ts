/** Tests of the pages of webhooks: two real services and one browser for each file. */
import type { TestPage } from "./browser.ts";
import { type Hooks, startHooks } from "./hooks.ts";
import { type Look, pageTests } from "./page-tests.ts";

/** `svc dev`, with nothing in it at first. */
export let dev: Hooks;
/** A service in production, with branches and permissions. */
export let production: Hooks;

interface HookLook extends Look {
  /** Production, with this token. */
  token?: string;
}

export const hookTest = pageTests({
  start: async () => {
    [dev, production] = await Promise.all([startHooks("dev"), startHooks("start")]);
    return [dev.service, production.service];
  },
  opening:
    (newPage) =>
    async (path: string, { token, ...look }: HookLook = {}) => {
      const page = await newPage(look);
      if (token !== undefined) {
        await page.addInitScript((text) => sessionStorage.setItem("svc-api-token", text), token);
      }
      await page.goto((token === undefined ? dev : production).service.url + path);
      return page;
    },
});

/** The requests of a webhook, newest first. */
export async function requestsOf(hooks: Hooks, id: string): Promise<{ id: string; status: string }[]> {
  return (await hooks.call("GET", `/v1/webhooks/${id}/requests`)).data;
}

/** The part of the page where a transform is tried. */
export const tester = (page: TestPage) => page.getByRole("region", { name: "Tester" });

/** The table of requests. */
export const inbox = (page: TestPage) => page.getByRole("table", { name: "Requests" });
