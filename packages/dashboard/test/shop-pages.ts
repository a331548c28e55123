/** Tests of the pages of events: a real service with a real app, and one browser, for each file. */
import type { TestPage } from "./browser.ts";
import { pageTests, pathsOf } from "./page-tests.ts";
import { type Shop, startShop } from "./shop.ts";

/** `svc dev`, with nothing but the app in it at first. */
export let shop: Shop;

export const shopTest = pageTests({
  start: async () => {
    shop = await startShop();
    return [shop];
  },
  opening: pathsOf(() => shop.service.url),
});

/** The row of an event with this name. */
export const eventRow = (page: TestPage, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
