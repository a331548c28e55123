/** The list of webhooks in a real browser, their filters and settings, and what holds for all their pages. */
import assert from "node:assert/strict";
import { API_TOKEN } from "../../../test/service.ts";
import type { TestPage } from "./browser.ts";
import { dev, hookTest, production, requestsOf, tester } from "./hook-pages.ts";
import { type Hook, SHOP_TRANSFORM, shopHook } from "./hooks.ts";
import { assertClean, LOOKS, lookText } from "./page-tests.ts";

const section = (page: TestPage, name: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name }) });

hookTest("a service without webhooks says how to create one, and the keyboard does it", async (open) => {
  const page = await open("/webhooks");
  await page.getByText("No webhooks yet").waitFor();
  assert.ok(await page.getByText(`curl ${dev.service.url}/v1/webhooks`).isVisible());
  await page.keyboard.press("n");
  await page.getByRole("dialog", { name: "Create a webhook" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Give it a name").waitFor();
  await page.getByText("GitHub", { exact: true }).click();
  await page.getByLabel("Name").fill("Our repositories");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/webhooks\/[0-9A-Z]{26}\?sample=github\.0/);
  await page.getByRole("heading", { name: "Our repositories" }).waitFor();
  await tester(page).getByText("1 event").waitFor();
  await tester(page).locator("code", { hasText: "github/" }).first().waitFor();
});

hookTest("production's webhooks and those of all branches stand in one list", async (open) => {
  await production.create({ name: "Payments", transform: SHOP_TRANSFORM });
  const shared = await production.create({
    name: "Issues",
    transform: SHOP_TRANSFORM,
    environment: "branches",
  });
  await production.post(shared, { action: "created", order: { id: "list" } });
  const page = await open("/webhooks", { token: API_TOKEN });
  const table = page.getByRole("table", { name: "Webhooks" });
  await table.getByText("Shared by all branches").waitFor();
  const texts = await table.getByRole("row").allInnerTexts();
  const place = (text: string) => texts.findIndex((row) => row.includes(text));
  assert.ok(place("Production") < place("Payments") && place("Payments") < place("Shared by all branches"));
  assert.ok(place("Shared by all branches") < place("Issues"));
  await table
    .getByRole("row")
    .filter({ hasText: "Issues" })
    .getByRole("button", { name: "Copy the URL" })
    .click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), shared.url);
  await page.getByRole("searchbox", { name: "Find a webhook" }).fill("pay");
  await page.waitForURL(/q=pay/);
  await table.getByText("Issues").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
});

hookTest("j, k and Enter go through the list of all groups", async (open) => {
  await production.create({ name: "Keys", transform: SHOP_TRANSFORM });
  const page = await open("/webhooks", { token: API_TOKEN });
  await page.getByRole("table", { name: "Webhooks" }).waitFor();
  const names = await page.locator("[data-row-link]").allTextContents();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.waitForFunction((name) => document.activeElement?.textContent === name, names[0]);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: names[0]! }).waitFor();
});

hookTest(
  "filters are tried before they are saved, and an entry that is none is named",
  async (open) => {
    const hook = await dev.create({ name: "Filtered", transform: SHOP_TRANSFORM });
    const page = await open(`/webhooks/${hook.id}?tab=filters`);
    const names = section(page, "Event names");
    await names.getByLabel("Allow").fill("shop/*");
    await names.getByLabel("Would this event pass?").fill("shop/order.created");
    await names.getByText("It passes.").waitFor();
    await names.getByLabel("Would this event pass?").fill("billing/paid");
    await names.getByText("It is kept out.").waitFor();
    const addresses = section(page, "Addresses of senders");
    await addresses.getByLabel("Deny").fill("192.0.2.0/24\nnonsense");
    await page.getByRole("tab", { name: /Requests/ }).click();
    await page.getByRole("tab", { name: /Filters.*not saved/ }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await addresses.getByText("“nonsense” cannot be used").waitFor();
    await addresses.getByLabel("Deny").fill("192.0.2.0/24");
    await addresses.getByLabel("Would this address pass?").fill("192.0.2.9");
    await addresses.getByText("It is kept out.").waitFor();
    await page.getByRole("spinbutton", { name: "Requests" }).fill("100");
    await page.getByLabel("In a").selectOption("minute");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The filters are in use").waitFor();
    const { event_filter, ip_filter, rate_limit } = (await dev.call("GET", `/v1/webhooks/${hook.id}`)).data;
    assert.deepEqual(
      { event_filter, ip_filter, rate_limit },
      {
        event_filter: { allow: ["shop/*"], deny: [] },
        ip_filter: { allow: [], deny: ["192.0.2.0/24"] },
        rate_limit: { requests: 100, per: "minute" },
      },
    );
  },
  { expected: /400/ },
);

hookTest("a webhook is renamed, paused, given a new URL, and deleted by typing its name", async (open) => {
  const hook = await dev.create({ name: "Settings", transform: SHOP_TRANSFORM });
  const page = await open(`/webhooks/${hook.id}?tab=settings`);
  await page.getByLabel("Name of the webhook").fill("Renamed");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Renamed" }).waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("Renamed is paused.").waitFor();
  assert.equal((await dev.call("GET", `/v1/webhooks/${hook.id}`)).data.paused, true);
  await page.getByRole("button", { name: "Rotate…" }).click();
  await page.getByRole("button", { name: "Rotate the URL" }).click();
  await page.getByText("The webhook has a new URL").waitFor();
  assert.equal(await dev.post(hook, {}), 401);
  await page.getByRole("button", { name: "Delete…" }).click();
  const sure = page.getByRole("button", { name: "Delete the webhook" });
  assert.ok(await sure.isDisabled());
  await page.getByLabel("Type Renamed to confirm").fill("Renamed");
  await sure.click();
  await page.waitForURL(/\/webhooks$/);
  await assert.rejects(dev.call("GET", `/v1/webhooks/${hook.id}`), /404/);
});

hookTest("whoever may only read sees everything, and no control that would be refused", async (open) => {
  const hook = await shopHook(production, "Read only");
  const made = await production.call("POST", "/v1/api-tokens", { name: "Reader", scopes: ["read"] });
  const token: string = made.data.token ?? made.data.secret;
  for (const path of ["/webhooks", ...tabsOf(hook)]) {
    const page = await open(path, { token });
    await page.getByText("Read only").first().waitFor();
    await page.waitForLoadState("networkidle");
    for (const name of ["Create a webhook", "Save…", "Replay…", "Save", "Pause", "Rotate…", "Delete…"]) {
      const button = page.getByRole("button", { name, exact: true });
      if ((await button.count()) > 0) assert.ok(await button.first().isDisabled(), `${path}: ${name}`);
    }
  }
});

hookTest(
  "a list that cannot be read says why, and tries again when asked",
  async (open) => {
    await dev.create({ name: "Read again", transform: SHOP_TRANSFORM });
    const page = await open("/events");
    await page.route(/\/v1\/webhooks\?/, (route) => route.abort());
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByText("The service does not answer.").waitFor();
    await page.unroute(/\/v1\/webhooks\?/);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Read again").waitFor();
  },
  { expected: /ERR_FAILED/ },
);

hookTest(
  "a webhook that is not there says so",
  async (open) => {
    const page = await open("/webhooks/none");
    await page.getByText("There is no such webhook.").waitFor();
    await page.getByRole("link", { name: "Webhooks" }).first().waitFor();
  },
  { expected: /404/ },
);

const tabsOf = (hook: Pick<Hook, "id">) =>
  ["transform", "requests", "filters", "settings"].map((tab) => `/webhooks/${hook.id}?tab=${tab}`);

for (const look of LOOKS) {
  hookTest(`no page has a serious barrier, ${lookText(look)}`, async (open) => {
    const hook = await shopHook(dev, `Barriers ${lookText(look)}`);
    await dev.call("PATCH", `/v1/webhooks/${hook.id}`, { transform: `// next\n${SHOP_TRANSFORM}` });
    const failed = (await requestsOf(dev, hook.id)).find(({ status }) => status === "failed")!;
    const ready: [path: string, sign: string][] = [
      ["/webhooks", "Last received"],
      ["/webhooks?create=1", "Conversations, contacts"],
      [`/webhooks/${hook.id}?input=${failed.id}`, "The transform threw"],
      [`/webhooks/${hook.id}?version=2`, "// next"],
      [`/webhooks/${hook.id}?tab=requests`, "What became of it"],
      [`/webhooks/${hook.id}?tab=requests&request=${failed.id}`, "The transform threw"],
      [`/webhooks/${hook.id}?tab=filters`, "Rate limit"],
      [`/webhooks/${hook.id}?tab=settings`, "Delete"],
    ];
    for (const [path, sign] of ready) {
      const page = await open(path, look);
      await page.getByText(sign).first().waitFor();
      await assertClean(page, path);
    }
  });
}
