/**
 * `npm run screenshots -w packages/dashboard`: every page in light and dark, wide and narrow, into
 * packages/dashboard/screenshots, for a person to look at.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startBrowser } from "./browser.ts";
import { startShop } from "./shop.ts";

const DIR = fileURLToPath(new URL("../screenshots", import.meta.url));
mkdirSync(DIR, { recursive: true });
const only = process.argv[2];

const shop = await startShop();
const browser = await startBrowser();
const names = [
  "order/placed",
  "order/placed",
  "order/paid",
  "user/joined",
  "user/profile.updated",
  "cart/abandoned",
];
for (let i = 0; i < 60; i++) {
  await shop.send({
    name: names[(i * 7) % names.length]!,
    data: {
      order_id: 1_000 + i,
      city: ["Bern", "Basel", "Chur"][i % 3],
      items: [
        { sku: "A-1", n: i },
        { sku: "B-2", n: 1 },
      ],
      gift: i % 5 === 0,
      note: null,
    },
  });
}
const id = await shop.send({
  name: "order/placed",
  data: {
    order_id: 2_000,
    customer: { name: "Ada", email: "ada@example.com" },
    items: [{ sku: "A-1", quantity: 2, price: 19.5 }],
  },
});
await shop.service.eventually(async () => {
  const runs = await shop.service.runsOf(id);
  if (runs.length < 2 || runs.some(({ status }) => status !== "completed")) throw new Error("not yet");
});
const runId = (await shop.service.runsOf(id))[0]!.id;

const shots: [name: string, path: string, act?: (page: import("playwright-core").Page) => Promise<void>][] = [
  ["events", "/events?range=1h"],
  ["event", `/events/${id}?range=1h`],
  ["events-empty", "/events?name=nothing/here"],
  ["event-missing", "/events/none"],
  [
    "palette",
    "/events",
    async (page) => {
      await page.getByText("Received").first().waitFor();
      await page.keyboard.press("Control+k");
      await page.getByPlaceholder(/Go to a page/).waitFor();
    },
  ],
  [
    "shortcuts",
    "/events",
    async (page) => {
      await page.getByText("Received").first().waitFor();
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
    },
  ],
  [
    "send",
    "/events",
    async (page) => {
      await page.getByText("Received").first().waitFor();
      await page.keyboard.press("c");
      await page.locator(".cm-content").waitFor();
    },
  ],
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
  ["runs", "/runs"],
  ["run", `/runs/${runId}`],
  ["functions", "/functions"],
  ["function", "/functions/shop-confirm?range=1h"],
  ["run-full", `/runs/${runId}?view=full`],
  ["apps", "/apps"],
  ["webhooks", "/webhooks"],
  ["settings", "/settings"],
  ["login", "/login"],
];
for (const scheme of ["light", "dark"] as const) {
  for (const [width, height] of [
    [1440, 900],
    [360, 740],
  ] as const) {
    for (const [name, path, act] of shots) {
      if (only !== undefined && !`${name}-${scheme}-${width}`.includes(only)) continue;
      const page = await browser.open(shop.service.url + path, { scheme, width, height });
      try {
        await page.waitForLoadState("networkidle", { timeout: 900 }).catch(() => {});
        await act?.(page);
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({ path: `${DIR}/${name}-${scheme}-${width}.png` });
        if (page.complaints.length > 0) console.log(name, scheme, width, page.complaints);
      } catch (error) {
        console.log(name, scheme, width, String(error).slice(0, 400), page.complaints);
        await page.screenshot({ path: `${DIR}/${name}-${scheme}-${width}.png` });
      }
      await page.close();
    }
  }
}
await browser.close();
await shop.close();
