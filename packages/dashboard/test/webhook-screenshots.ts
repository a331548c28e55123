/**
 * Part of `npm run screenshots`: the pages of webhooks.
 * `node test/webhook-screenshots.ts transform-dark` makes only those with this text in their name.
 */
import type { Page } from "playwright-core";
import { API_TOKEN } from "../../../test/service.ts";
import { startBrowser } from "./browser.ts";
import { SHOP_TRANSFORM, shopHook, startHooks } from "./hooks.ts";
import { type Act, all, opens, type Shot, takeScreenshots } from "./take-screenshots.ts";

const hooks = await startHooks("start");
const empty = await startHooks("dev");
const shop = await shopHook(hooks);
await hooks.create({ name: "GitHub", starter: "github" });
const stripe = await hooks.create({ name: "Stripe", starter: "stripe" });
await hooks.call("PATCH", `/v1/webhooks/${stripe.id}`, { paused: true });
await hooks.call("POST", "/v1/environments", { name: "feature/checkout", type: "branch" });
await hooks.call("POST", "/v1/environments", { name: "staging", type: "named" });
const shared = await hooks.create({ name: "Linear", environment: "branches", transform: SHOP_TRANSFORM });
await hooks.create({ name: "Shop orders of staging", environment: "staging", transform: SHOP_TRANSFORM });
await hooks.post(shared, { action: "created", order: { id: 1, city: "Chur" } });
await hooks.post(
  shared,
  { action: "created", order: { id: 2, city: "Chur" } },
  "?x-svc-env=feature/checkout",
);
for (const change of ['evt.order?.id ?? "none"', "evt.order.number"]) {
  await hooks.call("PATCH", `/v1/webhooks/${shop.id}`, {
    transform: SHOP_TRANSFORM.replace("evt.order.id", change),
  });
}
await hooks.call("PATCH", `/v1/webhooks/${shop.id}`, {
  event_filter: { allow: ["shop/*"], deny: ["shop/order.debug"] },
  rate_limit: { requests: 100, per: "second" },
});
const requestsOf = async (id: string) => (await hooks.call("GET", `/v1/webhooks/${id}/requests`)).data;
const inbox = (await requestsOf(shop.id)) as { id: string; status: string }[];
const failed = inbox.find(({ status }) => status === "failed")!;
const accepted = inbox.find(({ status }) => status === "accepted")!;
const unrouted = ((await requestsOf(shared.id)) as typeof inbox).find(({ status }) => status === "unrouted")!;

/** Put a line at the beginning of the transform. */
const edit = async (page: Page, line: string) => {
  const text = SHOP_TRANSFORM.replace("{\n", `{\n${line}\n`);
  await page.getByRole("textbox", { name: "Transform code" }).fill(text);
};
const tab =
  (name: string | RegExp): Act =>
  (page) =>
    page.getByRole("button", { name, exact: true }).last().click();
const at = (id: string, rest = "") => `/webhooks/${id}${rest}`;
const pages: [name: string, path: string, act?: Act][] = [
  ["list", "/webhooks"],
  ["create", "/webhooks?create=1", (page) => page.getByText("Shopify", { exact: true }).waitFor()],
  ["transform", at(shop.id), (page) => page.getByText("Transformed event").waitFor()],
  ["transform-request", at(shop.id, `?input=${accepted.id}`), (page) => page.getByText("1 event").waitFor()],
  [
    "transform-error",
    at(shop.id, `?input=${failed.id}`),
    (page) => page.getByText("The transform threw").waitFor(),
  ],
  [
    "transform-syntax",
    at(shop.id, `?input=${accepted.id}`),
    async (page) => {
      await edit(page, "  const = 1;");
      await page.getByText("The code cannot be read").waitFor();
    },
  ],
  [
    "save",
    at(shop.id, `?input=${accepted.id}`),
    async (page) => {
      await edit(page, '  if (evt.action === "created") throw new Error("not yet");');
      await page.getByText("The transform threw").waitFor();
      await page.keyboard.press("Control+s");
      await page.getByText(/Of the last/).waitFor();
      await page.getByText("Fails now").first().click();
    },
  ],
  [
    "versions",
    at(shop.id, "?version=2"),
    (page) => page.getByRole("region", { name: /Changes of/ }).waitFor(),
  ],
  ["requests", at(shop.id, "?tab=requests")],
  ["request", at(shop.id, `?tab=requests&request=${failed.id}`)],
  ["request-accepted", at(shop.id, `?tab=requests&request=${accepted.id}`)],
  ["request-unrouted", at(shared.id, `?tab=requests&request=${unrouted.id}`)],
  [
    "replay",
    at(shop.id, "?tab=requests"),
    async (page) => {
      await page.getByRole("button", { name: "Replay…" }).click();
      await page.getByRole("button", { name: "Replay all" }).click();
      await page.getByText(/Done/).waitFor();
    },
  ],
  [
    "filters",
    at(shop.id, "?tab=filters"),
    async (page) => {
      await page.getByLabel("Would this event pass?").fill("shop/order.debug");
      await page.getByText("It is kept out").waitFor();
    },
  ],
  ["settings", at(shop.id, "?tab=settings")],
  ["rotate", at(shop.id, "?tab=settings"), opens("Rotate…")],
  ["delete", at(shop.id, "?tab=settings"), opens("Delete…")],
  [
    "tester-headers",
    at(shop.id, `?input=${accepted.id}`),
    all(tab(/^Headers/), (page) => page.getByText("1 event").waitFor()),
  ],
  ["tester-query", at(shop.id, `?input=${accepted.id}`), tab("Query")],
  [
    "leave",
    at(shop.id, `?input=${accepted.id}`),
    async (page) => {
      await edit(page, "  // Half an idea");
      await page
        .getByText(/changed/)
        .first()
        .waitFor();
      await page.getByRole("link", { name: "Webhooks" }).last().click();
      await page.getByRole("dialog").waitFor();
    },
  ],
  [
    "requests-filtered",
    at(shop.id, "?tab=requests&status=unrouted"),
    (page) => page.getByText("No request is unrouted").waitFor(),
  ],
  ["route", at(shared.id, `?tab=requests&request=${unrouted.id}`), opens(/Route|Send to/)],
  ["inbox-empty", at(stripe.id, "?tab=requests")],
  ["missing", at("none")],
];

const browser = await startBrowser();
const withToken: Act = (page) =>
  page.addInitScript((token) => sessionStorage.setItem("svc-api-token", token), API_TOKEN);
const shots = pages.map(
  ([name, path, act]): Shot => ({
    name: `webhooks-${name}`,
    url: hooks.service.url + path,
    act,
    before: withToken,
  }),
);
const none: Shot = { name: "webhooks-none", url: `${empty.service.url}/webhooks` };
await takeScreenshots(browser, [...shots, none]);
await browser.close();
await hooks.service.close();
await empty.service.close();
