/** The inbox of a webhook in a real browser: requests as they come, replays, routing. */
import assert from "node:assert/strict";
import { API_TOKEN } from "../../../test/service.ts";
import type { TestPage } from "./browser.ts";
import { dev, hookTest, inbox, production, requestsOf, tester } from "./hook-pages.ts";
import { SHOP_TRANSFORM, shopHook } from "./hooks.ts";

const rows = (page: TestPage, word: string) => inbox(page).getByRole("row").filter({ hasText: word });

hookTest("requests come in live, are filtered by outcome, and lead to their events", async (open) => {
  const hook = await dev.create({ name: "Inbox", transform: SHOP_TRANSFORM });
  const page = await open(`/webhooks/${hook.id}?tab=requests`);
  await page.getByText("No request has come yet").waitFor();
  await dev.post(hook, { action: "created", order: { id: "inbox" } });
  await dev.post(hook, { action: "broken" });
  await rows(page, "Accepted").waitFor();
  await rows(page, "Failed").waitFor();
  await page.getByRole("button", { name: "Filter by outcome" }).click();
  await page.getByRole("combobox").fill("acc");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.waitForURL(/status=accepted/);
  await rows(page, "Failed").waitFor({ state: "detached" });

  // The filter gives the focus back when it has closed.
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("Outcome"));
  await page.keyboard.press("j");
  await page.waitForFunction(() => document.activeElement?.hasAttribute("data-row-link"));
  await page.keyboard.press("Enter");
  const panel = page.getByRole("region", { name: "Request", exact: true });
  await panel.getByText('"inbox"').waitFor();
  await panel.getByText("action created").waitFor();
  await panel.getByRole("button", { name: "Raw" }).click();
  await panel.getByText('{"action":"created","order":{"id":"inbox"}}').waitFor();
  await panel.getByText("Content-Type").waitFor();
  await panel.getByRole("list", { name: "Events it became" }).getByRole("link").click();
  await page.waitForURL(/\/events\/[0-9A-Z]{26}/);
  // The event shows the request whole, as the inbox does.
  const event = page.getByRole("region", { name: "Event shop/order.created" });
  await event.getByRole("button", { name: "Raw" }).click();
  await event.getByText('{"action":"created","order":{"id":"inbox"}}').waitFor();
  await event.getByText("Content-Type").waitFor();
  await page.getByRole("link", { name: /^[0-9A-Z]{26}$/ }).click();
  await page.waitForURL(/\/webhooks\/.*request=/);
});

hookTest(
  "a request that failed says where, opens in the tester, and is replayed when the code is right",
  async (open) => {
    const hook = await shopHook(dev, "Mended");
    const failed = (await requestsOf(dev, hook.id)).find(({ status }) => status === "failed")!;
    const page = await open(`/webhooks/${hook.id}?tab=requests&request=${failed.id}`);
    const panel = page.getByRole("region", { name: "Request", exact: true });
    await panel.getByRole("button", { name: /at line 6/ }).waitFor();
    await panel.getByRole("button", { name: "Open in tester" }).click();
    await page.waitForURL(new RegExp(`input=${failed.id}`));
    await tester(page).getByText("The transform threw").waitFor();
    await dev.call("PATCH", `/v1/webhooks/${hook.id}`, {
      transform: "const transform = (evt) => ({ name: 'shop/mended', data: evt })",
    });
    await page.goBack();
    await panel.getByRole("button", { name: "Replay" }).click();
    await page.getByText("Replayed: accepted, 1 event.").waitFor();
    await panel.getByText("Accepted").waitFor();
    await rows(page, "Failed").waitFor({ state: "detached" });
  },
);

hookTest("all that failed are replayed with a count of how far it is", async (open) => {
  const hook = await dev.create({
    name: "Many",
    transform: "function transform() { throw new Error('not yet'); }",
  });
  for (let n = 0; n < 120; n++) await dev.post(hook, { n });
  await dev.call("PATCH", `/v1/webhooks/${hook.id}`, {
    transform: "const transform = (evt) => (evt.n % 2 ? null : { name: 'many/one', data: evt })",
  });
  const page = await open(`/webhooks/${hook.id}?tab=requests`);
  await inbox(page).waitFor();
  await page.getByRole("button", { name: "Replay…" }).click();
  await page.getByRole("button", { name: "Replay all" }).click();
  const progress = page.getByRole("region", { name: "Progress" });
  await progress.getByText("Done: 120 replayed.").waitFor();
  assert.match((await progress.textContent()) ?? "", /Accepted60.*Ignored60|Ignored60.*Accepted60/);
  await page.getByRole("button", { name: "Close" }).last().click();
  await rows(page, "Failed").first().waitFor({ state: "detached" });
});

hookTest("more requests at once than one look shows are all in the list", async (open) => {
  const hook = await dev.create({ name: "Burst", transform: "const transform = () => null" });
  await dev.post(hook, {});
  const page = await open(`/webhooks/${hook.id}?tab=requests`);
  await rows(page, "Ignored").waitFor();
  await Promise.all(Array.from({ length: 70 }, () => dev.post(hook, {})));
  await page.waitForFunction(
    () => document.querySelector('[aria-label="Requests"]')?.getAttribute("aria-rowcount") === "72",
  );
});

hookTest("a long inbox is read page by page", async (open) => {
  const hook = await dev.create({ name: "Long", transform: "const transform = () => null" });
  for (let n = 0; n < 250; n += 25) {
    await Promise.all(Array.from({ length: 25 }, () => dev.post(hook, {})));
  }
  const page = await open(`/webhooks/${hook.id}?tab=requests`);
  await inbox(page).waitFor();
  await page.waitForFunction(() => {
    const scroller = document.querySelector('[aria-label="Requests"] [role="rowgroup"][tabindex]');
    scroller?.scrollTo(0, scroller.scrollHeight);
    return document.querySelector('[aria-label="Requests"]')?.getAttribute("aria-rowcount") === "251";
  });
  assert.ok((await inbox(page).getByRole("row").count()) < 80, "only rows in sight are in the page");
});

hookTest("a request that names no branch is sent to one", async (open) => {
  const name = "feature/routed";
  await production.call("POST", "/v1/environments", { name, type: "branch" });
  const hook = await production.create({
    name: "Branches",
    transform: SHOP_TRANSFORM,
    environment: "branches",
  });
  await production.post(hook, { action: "created", order: { id: "routed" } });
  const page = await open(`/webhooks/${hook.id}?tab=requests`, { token: API_TOKEN });
  await rows(page, "Unrouted").getByRole("link").click();
  await page.getByRole("button", { name: "Route…" }).click();
  await page.getByLabel("Branch environment").selectOption(name);
  await page.getByRole("button", { name: "Route", exact: true }).click();
  await page.getByText(`1 event went to ${name}.`).waitFor();
  await rows(page, "Accepted").waitFor();
  const { data } = await production.call("GET", `/v1/events?env=${encodeURIComponent(name)}`);
  assert.deepEqual(
    data.map((event: { name: string }) => event.name),
    ["shop/order.created"],
  );
});
