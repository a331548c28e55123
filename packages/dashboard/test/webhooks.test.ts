/** The pages of webhooks in a real browser, against a real service. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { API_TOKEN } from "../../../test/service.ts";
import { isBuilt } from "../source-hash.mjs";
import { type Browser, barriersIn, executablePath, startBrowser, type TestPage } from "./browser.ts";
import { type Hook, type Hooks, SHOP_TRANSFORM, shopHook, startHooks } from "./hooks.ts";

const skip = executablePath === undefined ? "there is no Chromium on this machine" : false;

let dev: Hooks;
let production: Hooks;
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
function dashboardTest(
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

const code = (page: TestPage) => page.getByRole("textbox", { name: "Transform code" });
const tester = (page: TestPage) => page.getByRole("region", { name: "Tester" });
const editCode = async (page: TestPage, text: string) => {
  await code(page).click();
  await page.keyboard.press("Control+a");
  // Chromium would give text typed over a coloured word an inline style, and complain that it may not.
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
};
const requestsOf = async (hooks: Hooks, id: string): Promise<{ id: string; status: string }[]> =>
  (await hooks.call("GET", `/v1/webhooks/${id}/requests`)).data;
const section = (page: TestPage, name: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name }) });
const inbox = (page: TestPage) => page.getByRole("table", { name: "Requests" });
const rows = (page: TestPage, word: string) => inbox(page).getByRole("row").filter({ hasText: word });

dashboardTest("a service without webhooks says how to create one, and the keyboard does it", async (open) => {
  const page = await open("/webhooks");
  await page.getByText("No webhooks yet").waitFor();
  assert.ok(await page.getByText(`curl ${dev.service.url}/v1/webhooks`).isVisible());
  await page.keyboard.press("n");
  await page.getByRole("dialog", { name: "New webhook" }).waitFor();
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

dashboardTest("production's webhooks and those of all branches stand in one list", async (open) => {
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

dashboardTest("j, k and Enter go through the list of all groups", async (open) => {
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

dashboardTest(
  "the tester runs the transform while it is typed, and an error leads to its line",
  async (open) => {
    const hook = await shopHook(dev, "Tester");
    const accepted = (await requestsOf(dev, hook.id)).find(({ status }) => status === "accepted")!;
    const page = await open(`/webhooks/${hook.id}?input=${accepted.id}`);
    await tester(page).getByText("1 event").waitFor();
    await tester(page).getByText("action created").waitFor();
    assert.match((await tester(page).textContent()) ?? "", /\d ms/);

    await editCode(page, SHOP_TRANSFORM.replace("shop/order.", "store/order."));
    await tester(page).locator("code", { hasText: "store/order.created" }).waitFor();
    await editCode(page, "function transform(evt) {\n  return null;\n  const = 1;\n}");
    await tester(page).getByText("The code cannot be read").waitFor();
    await page.locator(".cm-lint-marker-error").waitFor();
    await editCode(page, "function transform(evt) {\n  let order;\n\n  return { name: order.id };\n}");
    await tester(page).getByText("The transform threw").waitFor();
    await tester(page)
      .getByRole("button", { name: /at line 4/ })
      .click();
    await page.waitForFunction(() =>
      document.querySelector(".cm-activeLine")?.textContent?.includes("order.id"),
    );
    assert.ok(await code(page).evaluate((element) => element.contains(document.activeElement)));

    await editCode(
      page,
      "const transform = (evt, headers, query) => ({ name: 'a/b', data: { evt, tag: headers['X-Tag'], q: query } })",
    );
    await page.getByRole("textbox", { name: "Incoming Event JSON" }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText('{"by": "hand"}');
    await page.getByRole("button", { name: /^Headers/ }).click();
    await page
      .getByLabel("Headers", { exact: true })
      .fill("Content-Type: application/json\nX-Tag: green\nwrong");
    await page.getByText("Line 3: expected a name").waitFor();
    await page.getByRole("button", { name: /^Query/ }).click();
    await page.getByLabel("Query string").fill("source=shop");
    for (const text of ['"hand"', '"green"', '"shop"']) await tester(page).getByText(text).waitFor();
  },
);

dashboardTest("the body is shown laid out, and is sent exactly as it came", async (open) => {
  const hook = await dev.create({
    name: "Raw",
    transform: "const transform = (evt, headers, query, raw) => ({ name: 'a', data: { raw } })",
  });
  await dev.post(hook, '{"big":12345678901234567890}');
  const page = await open(`/webhooks/${hook.id}`);
  await page
    .getByRole("textbox", { name: "Incoming Event JSON" })
    .getByText("12345678901234567890")
    .waitFor();
  await tester(page).getByText('"{\\"big\\":12345678901234567890}"').waitFor();
});

dashboardTest("a body that is no text is tried as it came", async (open) => {
  const hook = await dev.create({
    name: "Bytes",
    transform:
      "const transform = (evt, headers, query, raw) => ({ name: 'bytes/came', data: { length: raw.length } })",
  });
  await fetch(hook.url, { method: "POST", body: new Uint8Array([0xff, 0xfe, 0x00, 0x81]) });
  const page = await open(`/webhooks/${hook.id}`);
  await page.getByText("This body is no text.").waitFor();
  await tester(page).locator("code", { hasText: "bytes/came" }).waitFor();
});

dashboardTest("samples of producers are at hand, and stand in the address", async (open) => {
  const hook = await dev.create({ name: "Samples", starter: "stripe" });
  const page = await open(`/webhooks/${hook.id}`);
  await tester(page).locator("code", { hasText: "stripe/" }).waitFor();
  await page.getByLabel("Request to try it on").selectOption("sample shopify.0");
  await page.waitForURL(/sample=shopify\.0/);
});

dashboardTest("an event that is previewed goes to the dev server", async (open) => {
  const hook = await shopHook(dev, "Sent on");
  const accepted = (await requestsOf(dev, hook.id)).find(({ status }) => status === "accepted")!;
  const page = await open(`/webhooks/${hook.id}?input=${accepted.id}`);
  const address = `http://127.0.0.1:${new URL(dev.service.url).port}/e/dev`;
  await page.evaluate((url) => localStorage.setItem("svc-dev-server", url), address);
  await tester(page).getByRole("button", { name: "Send to Dev Server" }).click();
  await page.getByText(`A copy was sent to ${address}`).waitFor();
  const { data } = await dev.call("GET", "/v1/events?name=shop/order.created&source=key");
  assert.ok(data.length > 0);
});

dashboardTest("saving shows first what becomes of the last requests", async (open) => {
  const hook = await shopHook(dev, "Saved");
  const page = await open(`/webhooks/${hook.id}`);
  await editCode(
    page,
    SHOP_TRANSFORM.replace(
      '"shop/order." + evt.action',
      '"shop/" + (evt.order ? "order" : "other")',
    ).replaceAll("evt.order", "(evt.order ?? {})"),
  );
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog", { name: "Save as version 2" });
  await dialog
    .getByText("Of the last 5 requests: 3 with other events, 1 that fails no more, 1 as before.")
    .waitFor();
  await dialog.getByText("Other events", { exact: true }).first().click();
  await dialog.getByText('"name": "shop/order.created"').first().waitFor();
  const before = (await dev.call("GET", `/v1/webhooks/${hook.id}`)).data;
  assert.equal(before.version, 1, "nothing is saved before it is confirmed");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Version 2 is in use.").waitFor();
  const { version, transform } = (await dev.call("GET", `/v1/webhooks/${hook.id}`)).data;
  assert.equal(version, 2);
  assert.match(transform, /"shop\/"/);
  await page.getByRole("button", { name: "Look at requests that failed" }).click();
  await page.waitForURL(/tab=requests&status=failed|status=failed&tab=requests/);
});

dashboardTest(
  "a version that somebody else saved meanwhile is shown, and written over only on purpose",
  async (open) => {
    const hook = await shopHook(dev, "Conflict");
    const page = await open(`/webhooks/${hook.id}`);
    await editCode(page, `// mine\n${SHOP_TRANSFORM}`);
    await page.keyboard.press("Control+s");
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/Of the last 5 requests/).waitFor();
    await dev.call("PATCH", `/v1/webhooks/${hook.id}`, { transform: `// theirs\n${SHOP_TRANSFORM}` });
    await dialog.getByRole("button", { name: /^Save/ }).click();
    await dialog.getByText("Version 2 was saved while you were editing").waitFor();
    await dialog.getByText("// theirs").waitFor();
    assert.equal((await dev.call("GET", `/v1/webhooks/${hook.id}`)).data.version, 2);
    await dialog.getByRole("button", { name: "Save over version 2" }).click();
    await page.getByText("Version 3 is in use.").waitFor();
    assert.match((await dev.call("GET", `/v1/webhooks/${hook.id}`)).data.transform, /^\/\/ mine/);
  },
  { expected: /409/ },
);

dashboardTest("what is not saved survives a look at another tab, and leaving asks first", async (open) => {
  const hook = await shopHook(dev, "Unsaved");
  const page = await open(`/webhooks/${hook.id}`);
  await editCode(page, `// half done\n${SHOP_TRANSFORM}`);
  await page.getByRole("tab", { name: /Transform.*not saved/ }).waitFor();
  await page.getByRole("tab", { name: /Requests/ }).click();
  await inbox(page).waitFor();
  await page.getByRole("tab", { name: /Transform/ }).click();
  await code(page).getByText("// half done").waitFor();
  await page.getByRole("link", { name: "Events" }).click();
  await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
  await page.getByRole("button", { name: "Stay" }).click();
  await code(page).getByText("// half done").waitFor();
  await page.getByRole("link", { name: "Events" }).click();
  await page.getByRole("button", { name: "Leave, and lose them" }).click();
  await page.waitForURL(/\/events/);
});

dashboardTest("the history shows what each version changed, and an older one is restored", async (open) => {
  const hook = await shopHook(dev, "History");
  await dev.call("PATCH", `/v1/webhooks/${hook.id}`, { transform: `// second\n${SHOP_TRANSFORM}` });
  const page = await open(`/webhooks/${hook.id}`);
  await page.getByRole("button", { name: "History" }).click();
  const dialog = page.getByRole("dialog", { name: "Versions of the transform" });
  await dialog.getByText("// second").waitFor();
  await dialog.getByRole("button", { name: /Version 1/ }).click();
  await page.waitForURL(/version=1/);
  await dialog.getByRole("button", { name: "Restore version 1" }).click();
  await page.getByText("Version 1 is in use again, as version 3.").waitFor();
  assert.equal((await dev.call("GET", `/v1/webhooks/${hook.id}`)).data.transform, SHOP_TRANSFORM);
});

dashboardTest("requests come in live, are filtered by outcome, and lead to their events", async (open) => {
  const hook = await dev.create({ name: "Inbox", transform: SHOP_TRANSFORM });
  const page = await open(`/webhooks/${hook.id}?tab=requests`);
  await page.getByText("No request has come yet").waitFor();
  await dev.post(hook, { action: "created", order: { id: "inbox" } });
  await dev.post(hook, { action: "broken" });
  await rows(page, "Accepted").waitFor();
  await rows(page, "Failed").waitFor();
  await page.getByRole("button", { name: "Filter by outcome" }).click();
  await page.getByPlaceholder("Find a outcome…").or(page.getByRole("combobox")).first().fill("acc");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.waitForURL(/status=accepted/);
  await rows(page, "Failed").waitFor({ state: "detached" });

  // The filter gives the focus back when it has closed.
  await page.waitForFunction(() => document.activeElement?.ariaLabel === "Outcome: accepted");
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
  await page.getByRole("link", { name: /^[0-9A-Z]{26}$/ }).click();
  await page.waitForURL(/\/webhooks\/.*request=/);
});

dashboardTest(
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

dashboardTest("all that failed are replayed with a count of how far it is", async (open) => {
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

dashboardTest("more requests at once than one look shows are all in the list", async (open) => {
  const hook = await dev.create({ name: "Burst", transform: "const transform = () => null" });
  await dev.post(hook, {});
  const page = await open(`/webhooks/${hook.id}?tab=requests`);
  await rows(page, "Ignored").waitFor();
  await Promise.all(Array.from({ length: 70 }, () => dev.post(hook, {})));
  await page.waitForFunction(
    () => document.querySelector('[aria-label="Requests"]')?.getAttribute("aria-rowcount") === "72",
  );
});

dashboardTest("a long inbox is read page by page", async (open) => {
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

dashboardTest("a request that names no branch is sent to one", async (open) => {
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

dashboardTest(
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

dashboardTest(
  "a webhook is renamed, paused, given a new URL, and deleted by typing its name",
  async (open) => {
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
  },
);

dashboardTest("whoever may only read sees everything, and no control that would be refused", async (open) => {
  const hook = await shopHook(production, "Read only");
  const made = await production.call("POST", "/v1/api-tokens", { name: "Reader", scopes: ["read"] });
  const token: string = made.data.token ?? made.data.secret;
  for (const path of ["/webhooks", ...tabsOf(hook)]) {
    const page = await open(path, { token });
    await page.getByText("Read only").first().waitFor();
    await page.waitForLoadState("networkidle");
    for (const name of ["New webhook", "Save…", "Replay…", "Save", "Pause", "Rotate…", "Delete…"]) {
      const button = page.getByRole("button", { name, exact: true });
      if ((await button.count()) > 0) assert.ok(await button.first().isDisabled(), `${path}: ${name}`);
    }
  }
});

dashboardTest(
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

dashboardTest(
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

for (const scheme of ["light", "dark"] as const) {
  for (const width of [360, 1440]) {
    dashboardTest(`no page has a serious barrier, ${scheme}, ${width} px`, async (open) => {
      const hook = await shopHook(dev, `Barriers ${scheme} ${width}`);
      await dev.call("PATCH", `/v1/webhooks/${hook.id}`, { transform: `// next\n${SHOP_TRANSFORM}` });
      const failed = (await requestsOf(dev, hook.id)).find(({ status }) => status === "failed")!;
      const look = { scheme, width };
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
        assert.deepEqual(await barriersIn(page), [], path);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${path} is ${overflow} px too wide`);
      }
    });
  }
}
