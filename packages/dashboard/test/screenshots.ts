/**
 * Part of `npm run screenshots`: what people watch, over a shop's working day, in light and dark, wide and narrow.
 * `npm run screenshots -- runs-dark` makes only those with this text in their name, `-- readme` the two of the README.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { startSeededShop } from "./seeded-shop.ts";
import { startShop } from "./shop.ts";

const DIR = fileURLToPath(new URL("../screenshots", import.meta.url));
mkdirSync(DIR, { recursive: true });
const only = process.argv[2];

const [shop, fresh] = [await startSeededShop(), await startShop()];
const { office, runs, events } = shop;

const press = (keys: string, then: (page: Page) => Promise<void>) => async (page: Page) => {
  await page.locator("[data-row-link]").first().waitFor();
  await page.keyboard.press(keys);
  await then(page);
};
const toLogs = (page: Page) =>
  page
    .getByRole("region", { name: "Log lines" })
    .evaluate((element) => element.closest("section")!.scrollIntoView());
const shots: [name: string, address: string, act?: (page: Page) => Promise<void>][] = [
  ["first-minute", `${fresh.service.url}/`, (page) => page.getByText("Nothing was received yet").waitFor()],
  ["events", "/events?range=6h"],
  ["event", `/events/${events.order}?range=6h`],
  ["event-webhook", `/events/${events.webhook}?range=6h`],
  ["events-empty", "/events?name=nothing/here"],
  ["event-missing", "/events/none"],
  ["palette", "/events", press("Control+k", (page) => page.getByPlaceholder(/Go to a page/).waitFor())],
  ["shortcuts", "/events", press("?", (page) => page.getByRole("dialog").waitFor())],
  ["send", "/events", press("c", (page) => page.locator(".cm-content").waitFor())],
  [
    "names",
    "/events",
    async (page) => {
      await page.getByRole("button", { name: "Filter by name" }).click();
      await page.locator("[cmdk-item]").first().waitFor();
    },
  ],
  [
    "range",
    "/events",
    async (page) => {
      await page.getByRole("button", { name: /Time range/ }).click();
      await page.getByLabel("From").waitFor();
    },
  ],
  [
    "copy-as",
    `/events/${events.order}`,
    async (page) => {
      await page.getByRole("button", { name: "Copy as" }).click();
      await page.getByRole("menuitem", { name: "curl" }).waitFor();
    },
  ],
  ["runs", "/runs?range=1h"],
  ...Object.entries(runs).map(([name, id]): [string, string] => [`run-${name}`, `/runs/${id}?range=1h`]),
  ["run-logs", `/runs/${runs.failed}`, toLogs],
  ["run-logs-long", `/runs/${runs.long}`, toLogs],
  ["run-full", `/runs/${runs.long}?view=full`],
  ["functions", "/functions"],
  ["function", "/functions/shop-ship"],
  ["webhooks", "/webhooks"],
];

const browser = await startBrowser();
const entry = await browser.open(`${office.url}/login`);
await office.become(entry, "Ada");
await entry.close();
for (const scheme of ["light", "dark"] as const) {
  for (const [width, height] of [
    [1440, 900],
    [360, 740],
  ] as const) {
    for (const [name, address, act] of shots) {
      const file = `${name}-${scheme}-${width}`;
      if (only !== undefined && !file.includes(only)) continue;
      const page = await browser.open(new URL(address, office.url).href, { scheme, width, height });
      try {
        await page.waitForLoadState("networkidle", { timeout: 900 }).catch(() => {});
        await act?.(page);
        await page.evaluate(() => document.fonts.ready);
      } catch (error) {
        console.log(file, String(error).slice(0, 400));
      }
      await page.screenshot({ path: `${DIR}/${file}.png` });
      if (page.complaints.length > 0) console.log(file, page.complaints);
      await page.close();
    }
  }
}
if (only === "readme") {
  const pictures = [
    ["events", `/events/${events.order}?range=6h`, "light"],
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
