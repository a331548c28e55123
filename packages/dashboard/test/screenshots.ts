/**
 * Part of `npm run screenshots`: what people watch, over a shop's working day.
 * `npm run screenshots -- runs-dark` makes only those with this text in their name, `-- readme` the two of the README.
 */
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { startService } from "../../../test/service.ts";
import { startBrowser } from "./browser.ts";
import { startSeededShop } from "./seeded-shop.ts";
import { startShop } from "./shop.ts";
import { type Act, all, opens, type Shot, takeScreenshots } from "./take-screenshots.ts";

const [shop, fresh, bare] = [await startSeededShop(), await startShop(), await startService("dev")];
const { office, runs, events } = shop;

const press =
  (keys: string, then: Act): Act =>
  async (page) => {
    await page.locator("[data-row-link]").first().waitFor();
    await page.keyboard.press(keys);
    await then(page);
  };
/** The filters are behind a button where there is no room for them. */
const openFilters: Act = async (page) => {
  const button = page.getByRole("button", { name: /^Filters/ });
  if (await button.isVisible()) await button.click();
};
const step =
  (name: string): Act =>
  (page) =>
    page.getByRole("link", { name }).first().click();
const answers =
  (path: string, status: number): Act =>
  (page) =>
    page.route(path, (route) =>
      route.fulfill({
        status,
        json: { error: "The store is busy: it did not answer within 5 s. Try again.", code: "unavailable" },
      }),
    );
const never =
  (path: string): Act =>
  (page) =>
    page.route(path, () => {});
const shows = (text: string | RegExp): Act => {
  return (page) => page.getByText(text).first().waitFor();
};

const toLogs: Act = (page) =>
  page
    .getByRole("region", { name: "Log lines" })
    .evaluate((element) => element.closest("section")!.scrollIntoView());

const pages: [name: string, address: string, act?: Act, before?: Act][] = [
  ["first-minute", `${fresh.service.url}/`, shows("Nothing was received yet")],
  ["events", "/events?range=6h"],
  ["events-filters", "/events?range=6h&source=webhook&q=charge", openFilters],
  ["events-empty", "/events?name=nothing/here"],
  ["events-error", "/events", shows(/The store is busy/), answers("**/v1/events**", 503)],
  ["events-loading", "/events", (page) => page.waitForTimeout(300), never("**/v1/events**")],
  ["events-bare", `${bare.url}/events`],
  ["event", `/events/${events.order}?range=6h`],
  ["event-webhook", `/events/${events.webhook}?range=6h`],
  ["event-missing", "/events/none"],
  ["palette", "/events", press("Control+k", (page) => page.getByPlaceholder(/Go to a page/).waitFor())],
  [
    "palette-id",
    "/events",
    press("Control+k", async (page) => {
      await page.getByPlaceholder(/Go to a page/).fill(runs.failed);
      await page.locator("[cmdk-item]").first().waitFor();
    }),
  ],
  ["shortcuts", "/events", press("?", (page) => page.getByRole("dialog").waitFor())],
  ["send", "/events", press("c", (page) => page.locator(".cm-content").waitFor())],
  [
    "names",
    "/events",
    all(openFilters, async (page) => {
      await page.getByRole("button", { name: "Filter by name" }).click();
      await page.locator("[cmdk-item]").first().waitFor();
    }),
  ],
  [
    "range",
    "/events",
    async (page) => {
      await page.getByRole("button", { name: /Time range/ }).click();
      await page.getByLabel("From").waitFor();
    },
  ],
  ["copy-as", `/events/${events.order}`, opens("Copy as", "menu")],
  [
    "toast",
    `/events/${events.webhook}`,
    async (page) => {
      await page.getByRole("button", { name: "Replay" }).click();
      await page.getByText("Sent again as a new event.").waitFor();
    },
  ],
  ["runs", "/runs?range=6h"],
  ["runs-filters", "/runs?range=6h&status=failed,running&app=shop", openFilters],
  ["runs-empty", "/runs?function=nothing"],
  ["runs-bare", `${bare.url}/runs`],
  ["runs-error", "/runs", shows(/The store is busy/), answers("**/v1/runs**", 503)],
  ...Object.entries(runs).map(([name, id]): [string, string] => [`run-${name}`, `/runs/${id}?range=6h`]),
  ["run-step", `/runs/${runs.failed}`, step("charge card")],
  ["run-retried-step", `/runs/${runs.retried}`, step("send mail")],
  ["run-sleeping-step", `/runs/${runs.sleeping}`, step("wait for pickup")],
  ["run-cancel", `/runs/${runs.running}`, opens("Cancel run")],
  ["run-missing", "/runs/none"],
  ["run-logs", `/runs/${runs.failed}`, toLogs],
  ["run-logs-long", `/runs/${runs.long}`, toLogs],
  ["run-full", `/runs/${runs.long}?view=full`],
  ["run-huge-full", `/runs/${runs.huge}?view=full`],
  ["functions", "/functions"],
  ["functions-empty", "/functions?q=nothing", openFilters],
  ["functions-bare", `${bare.url}/functions`],
  ["function", "/functions/shop-charge"],
  [
    "function-invoke",
    "/functions/shop-ship",
    all(opens("Invoke"), (page) => page.locator(".cm-content").waitFor()),
  ],
  ["function-pause", "/functions/shop-ship", opens("Pause")],
  ["function-missing", "/functions/none"],
  ["webhooks", "/webhooks"],
  ["menu-environments", "/events", opens(/production/, "menu")],
  ["menu-account", "/events", menuAtTheFoot(/Account of/)],
  ["menu-theme", "/events", menuAtTheFoot(/Theme/)],
  ["page-missing", "/nowhere"],
  ...["apps", "webhooks", "keys", "environments", "team", "settings"].map((name): [string, string] => [
    `dev-${name}`,
    `${bare.url}/${name}`,
  ]),
];

/** Where the rail is put away, it is opened first. */
function menuAtTheFoot(name: RegExp): Act {
  return async (page: Page) => {
    const button = page.getByRole("button", { name }).first();
    if (!(await button.isVisible())) await page.getByRole("button", { name: /menu|navigation/i }).click();
    await button.click();
    await page.getByRole("menuitem").last().waitFor();
  };
}

const browser = await startBrowser();
const entry = await browser.open(`${office.url}/login`);
await office.become(entry, "Ada");
await entry.close();
if (process.argv[2] !== "readme") {
  const shots = pages.map(
    ([name, address, act, before]): Shot => ({ name, url: new URL(address, office.url).href, act, before }),
  );
  await takeScreenshots(browser, shots);
} else {
  const pictures = [
    // Not what the service tells of itself, nor every visitor.
    ["events", `/events/${events.order}?range=6h&name=shop/order.*,shop/cart.*,stripe/*,github/*`, "light"],
    ["run", `/runs/${runs.long}?view=full`, "dark"],
  ] as const;
  for (const [name, address, scheme] of pictures) {
    const page = await browser.open(office.url + address, { scheme, width: 1200, height: 680 });
    await page.waitForLoadState("networkidle", { timeout: 900 }).catch(() => {});
    await page.evaluate(() => document.fonts.ready);
    const path = fileURLToPath(new URL(`../../../docs/images/${name}.png`, import.meta.url));
    await page.screenshot({ path });
    await page.close();
  }
}
await browser.close();
await shop.close();
await fresh.close();
await bare.close();
