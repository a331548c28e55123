/** The page of events in a real browser, against a real service with a real app. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { API_TOKEN, startService } from "../../../test/service.ts";
import { isBuilt } from "../source-hash.mjs";
import { type Browser, barriersIn, executablePath, startBrowser, type TestPage } from "./browser.ts";
import { type Shop, startShop } from "./shop.ts";

const skip = executablePath === undefined ? "there is no Chromium on this machine" : false;

let shop: Shop;
let browser: Browser;

before(async () => {
  if (skip) return;
  assert.ok(isBuilt(), "The dashboard is not built: run `npm run build -w packages/dashboard`.");
  [shop, browser] = await Promise.all([startShop(), startBrowser()]);
});
after(async () => {
  await browser?.close();
  await shop?.close();
});

type Look = Parameters<Browser["open"]>[1];

/** Open a page of the dashboard; afterwards nothing may have been complained of. */
function dashboardTest(
  name: string,
  run: (open: (path: string, look?: Look) => Promise<TestPage>) => Promise<void>,
) {
  test(name, { skip, timeout: 60_000 }, async () => {
    const pages: TestPage[] = [];
    try {
      await run(async (path, look) => {
        const page = await browser.open(shop.service.url + path, look);
        pages.push(page);
        return page;
      });
      for (const page of pages) assert.deepEqual(page.complaints, []);
    } finally {
      for (const page of pages) await page.close();
    }
  });
}

const row = (page: TestPage, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

dashboardTest("an empty service says what listens, and the command it suggests starts that", async (open) => {
  const page = await open("/events?range=15m&name=nothing/yet");
  await page.getByText("No event fits these filters").waitFor();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await page.getByText("Nothing was received yet").waitFor();
  await page.getByRole("link", { name: "Confirm an order" }).waitFor();
  assert.equal(await page.getByText("order/placed", { exact: true }).count(), 2);
  await page.getByRole("button", { name: "Copy the command" }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(command, new RegExp(`^curl ${shop.service.url}/e/dev -d '`));
  await promisify(execFile)("/bin/sh", ["-c", command], { timeout: 10_000 });
  await row(page, "order/placed").getByRole("img", { name: "shop-audit completed" }).waitFor();
});

dashboardTest("a time without events offers a longer one", async (open) => {
  const page = await open("/events?after=1000&before=2000");
  await page.getByText("Nothing was received in this time").waitFor();
  await page.getByRole("button", { name: "Last 30 days" }).click();
  await page.locator("[data-row-link]").first().waitFor();
});

dashboardTest("events come in live, with the state of the runs they start", async (open) => {
  const page = await open("/");
  await page.getByRole("button", { name: "Live tail: on" }).waitFor();
  await shop.send({ name: "live/first", data: { n: 1 } });
  await row(page, "live/first").waitFor();
  await shop.send({ name: "order/placed", data: { order: 1 } });
  await row(page, "order/placed").waitFor();
  await row(page, "order/placed").getByRole("img", { name: "shop-audit completed" }).waitFor();
  await shop.send({ name: "order/paid" });
  await row(page, "order/paid").getByRole("img", { name: "shop-charge failed" }).waitFor();
});

dashboardTest("what comes while the pointer is on the list waits behind a count", async (open) => {
  await shop.send({ name: "wait/before" });
  const page = await open("/events?name=wait/*");
  await page.getByRole("button", { name: "Live tail: on" }).waitFor();
  await row(page, "wait/before").hover();
  await shop.sendMany([{ name: "wait/one" }, { name: "wait/two" }]);
  await page.getByRole("button", { name: "2 new" }).waitFor();
  assert.equal(await row(page, "wait/one").count(), 0);
  await page.getByRole("button", { name: "2 new" }).click();
  await row(page, "wait/two").waitFor();
  await row(page, "wait/one").waitFor();
});

dashboardTest("filters stand in the address, and an address shows what it says", async (open) => {
  await shop.sendMany([
    { name: "filter/a", data: { city: "Bern" } },
    { name: "filter/b", data: { city: "Basel" } },
  ]);
  const page = await open("/events");
  await page.getByRole("button", { name: "Filter by name" }).click();
  await page.getByPlaceholder("Find a name…").fill("filter/*");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.waitForURL(/name=filter\/\*/);
  await row(page, "filter/b").waitFor();
  await page.getByRole("searchbox", { name: "Text in name, ids or data" }).fill("bern");
  await page.waitForURL(/q=bern/);
  await row(page, "filter/b").waitFor({ state: "detached" });
  await row(page, "filter/a").waitFor();

  const again = await open(new URL(page.url()).pathname + new URL(page.url()).search);
  await row(again, "filter/a").waitFor();
  assert.equal(await row(again, "filter/b").count(), 0);
});

dashboardTest("the keyboard alone finds, opens, moves on and closes", async (open) => {
  await shop.sendMany([{ name: "keys/one" }, { name: "keys/two" }, { name: "keys/three" }]);
  const page = await open("/runs");
  await page.getByRole("heading", { name: "Runs" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await page.waitForURL(/\/events/);
  await page.getByRole("table").waitFor();
  await page.getByPlaceholder("Search", { exact: true }).waitFor();
  await page.keyboard.press("/");
  await page.waitForFunction(() => document.activeElement?.getAttribute("placeholder") === "Search");
  await page.keyboard.type("keys/");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=keys/);
  await page.keyboard.press("Escape");
  await row(page, "order/paid").waitFor({ state: "detached" });
  // While it loads, the list has no rows at all, and a search shows what it finds bit by bit.
  for (const name of ["keys/three", "keys/two", "keys/one"]) await row(page, name).waitFor();
  const names = await page.locator("[data-row-link]").allTextContents();
  await page.keyboard.press("j");
  await page.locator("[data-row-link]:focus").waitFor();
  await page.keyboard.press("j");
  await page.waitForFunction((name) => document.activeElement?.textContent === name, names[1]);
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: `Event ${names[1]}` }).waitFor();
  await page.keyboard.press("j");
  await page.getByRole("region", { name: `Event ${names[2]}` }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("region", { name: /^Event / }).waitFor({ state: "detached" });
  assert.match(page.url(), /\/events\?q=keys/);
});

dashboardTest("the command palette goes to pages and finds an event by its sender's id", async (open) => {
  await shop.send({ name: "palette/target", id: "own-id-7" });
  const page = await open("/functions");
  await page.getByRole("table").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Go to a page/).fill("own-id-7");
  await page.getByText("Open the event with id own-id-7").click();
  await page.getByRole("region", { name: "Event palette/target" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Go to a page/).fill("apps");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/apps$/);
});

dashboardTest("an event shows its payload, its runs and where it came from", async (open) => {
  const id = await shop.send({
    name: "order/placed",
    id: "o-77",
    data: { city: "Bern", items: [{ sku: "A-1" }] },
  });
  const page = await open(`/events/${id}`);
  const panel = page.getByRole("region", { name: "Event order/placed" });
  await panel.getByText('"A-1"').waitFor();
  await panel.getByRole("link", { name: /Completed Confirm an order/ }).waitFor();
  await panel.getByText("o-77").waitFor();
  await panel.getByRole("button", { name: "Fold data.items", exact: true }).click();
  await panel.getByText("[ 1 entry ]").waitFor();
  await panel.getByRole("searchbox", { name: "Search in Payload" }).fill("a-1");
  await panel.getByText("1 of 1").waitFor();
  await panel.getByRole("link", { name: /Completed Confirm an order/ }).click();
  await page.waitForURL(/\/runs\//);
});

dashboardTest("a payload of half a megabyte opens at once and is searched", async (open) => {
  const items = Array.from({ length: 7_000 }, (_, i) => ({ sku: `SKU-${i}`, quantity: i, tags: ["a", "b"] }));
  const id = await shop.send({ name: "large/payload", data: { items, last: "needle" } });
  const page = await open(`/events/${id}`);
  const panel = page.getByRole("region", { name: "Event large/payload" });
  await panel.getByText("7000 entries").or(panel.getByText('"items"')).first().waitFor();
  const started = Date.now();
  await panel.getByRole("searchbox", { name: "Search in Payload" }).fill("SKU-6999");
  await panel.getByText("1 of 1").waitFor();
  await panel.getByText("SKU-6999").waitFor();
  assert.ok(Date.now() - started < 5_000, "the search froze the page");
  assert.ok((await page.locator("[class*='group/line']").count()) < 200, "all lines are in the page");
});

dashboardTest("an event is copied as curl, as a call, as JSON and as a type", async (open) => {
  const id = await shop.send({ name: "copy/me", data: { n: 1 } });
  const page = await open(`/events/${id}`);
  const copied = async (choice: string) => {
    await page.getByRole("button", { name: "Copy as" }).click();
    await page.getByRole("menuitem", { name: choice, exact: true }).click();
    await page
      .getByText(/^Copied as/)
      .last()
      .waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.equal(
    await copied("curl"),
    `curl ${shop.service.url}/e/dev -H 'content-type: application/json' -d '{"name":"copy/me","data":{"n":1}}'`,
  );
  assert.match(await copied("send() call"), /^await client\.send\(\{/);
  assert.deepEqual(JSON.parse(await copied("JSON")), { name: "copy/me", data: { n: 1 } });
  assert.equal(await copied("TypeScript type"), "type CopyMe = {\n  n: number;\n};");
});

dashboardTest("a replay is a new event, which can be opened", async (open) => {
  const id = await shop.send({ name: "replay/me", data: { n: 5 } });
  const page = await open(`/events/${id}`);
  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByRole("button", { name: "Open it" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(id));
  await page.getByText("api · replay").first().waitFor();
});

dashboardTest("an event is edited and sent, and wrong ones are told before sending", async (open) => {
  const id = await shop.send({ name: "edit/me", data: { n: 5 } });
  const page = await open(`/events/${id}`);
  await page.getByRole("button", { name: "Edit and send" }).click();
  const editor = page.getByRole("textbox", { name: "Event as JSON" });
  await editor.waitFor();
  await page.getByText('"edit/me"').last().waitFor();
  await editor.fill('{"name":"","data":{}}');
  await page.locator(".cm-lint-marker-error").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Send Ctrl/ }).isDisabled(), true);
  await editor.fill('{"name":"edit/done","data":{"n":6}}');
  await page.keyboard.press("Control+Enter");
  await page.getByRole("region", { name: "Event edit/done" }).waitFor();
});

dashboardTest("a copy goes to the dev server that the reader names, which is remembered", async (open) => {
  const received: unknown[] = [];
  const devServer = createServer(async (req, res) => {
    res.setHeader("access-control-allow-origin", "*");
    res.setHeader("access-control-allow-headers", "content-type");
    if (req.method === "OPTIONS") return res.writeHead(204).end();
    received.push(JSON.parse(Buffer.concat(await req.toArray()).toString()));
    res.end('{"ids":["x"],"status":200}');
  });
  await new Promise<void>((resolve) => devServer.listen(0, "127.0.0.1", resolve));
  const address = `http://localhost:${(devServer.address() as AddressInfo).port}/e/dev`;
  const dead = await closedAddress();
  try {
    const id = await shop.send({ name: "copy/to-dev", data: { n: 1 } });
    const page = await open(`/events/${id}`);
    await page.evaluate((url) => localStorage.setItem("svc-dev-server", url), dead);
    await page.getByRole("button", { name: "Send to Dev Server" }).click();
    await page.getByText(`No dev server answers at ${dead}`).waitFor();
    await page.getByLabel("Address of the dev server").fill("https://example.com/e/dev");
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText(/Pages may only send to/).waitFor();
    await page.getByLabel("Address of the dev server").fill(address);
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText(`A copy was sent to ${address}.`).waitFor();
    await page.getByRole("button", { name: "Send to Dev Server" }).click();
    await shop.service.eventually(() => assert.equal(received.length, 2));
    assert.deepEqual(received[0], { name: "copy/to-dev", data: { n: 1 } });
    // The browser itself tells of the server that was not there.
    page.complaints = page.complaints.filter((text) => !text.includes("ERR_CONNECTION_REFUSED"));
  } finally {
    devServer.closeAllConnections();
    devServer.close();
  }
});

dashboardTest("dragging over the chart selects the range", async (open) => {
  await shop.send({ name: "drag/me" });
  const page = await open("/events?range=15m");
  const chart = page.getByRole("img", { name: /^events: / });
  await chart.waitFor();
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.5, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + 30, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/after=\d+&before=\d+/);
  await row(page, "drag/me").waitFor();
});

dashboardTest("ten thousand events are a list of a few rows in the page", async (open) => {
  const batch = Array.from({ length: 5_000 }, (_, i) => ({ name: "many/events", data: { i } }));
  await shop.sendMany(batch);
  await shop.sendMany(batch);
  const page = await open("/events?name=many/events&live=off");
  await row(page, "many/events").first().waitFor();
  const loaded = async () => Number(await page.getByRole("table").getAttribute("aria-rowcount"));
  for (let count = await loaded(); count < 1_000; count = await loaded()) {
    await page
      .locator("[role=rowgroup]")
      .last()
      .evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await page.waitForFunction(
      (before) => Number(document.querySelector("[role=table]")!.getAttribute("aria-rowcount")) > before,
      count,
    );
  }
  assert.ok((await loaded()) >= 1_000);
  assert.ok((await page.locator("[data-key]").count()) < 80);
});

for (const scheme of ["light", "dark"] as const) {
  for (const [width, height] of [
    [1440, 900],
    [360, 740],
  ] as const) {
    dashboardTest(`the pages have no barriers and fit, ${scheme}, ${width} px wide`, async (open) => {
      const id = await shop.send({ name: "order/placed", data: { city: "Bern" } });
      await shop.service.finishedRun(await shop.send({ name: "order/paid" }));
      const page = await open(`/events/${id}`, { scheme, width, height });
      await page.getByRole("region", { name: "Event order/placed" }).getByText('"Bern"').waitFor();
      assert.deepEqual(await barriersIn(page), []);
      for (const path of [
        "/events",
        "/runs",
        "/functions",
        "/apps",
        "/webhooks",
        "/settings",
        "/login",
        "/nothing",
      ]) {
        await page.goto(shop.service.url + path);
        await page.getByRole("heading").first().waitFor();
        await page
          .getByRole("status", { name: /^Loading/ })
          .first()
          .waitFor({ state: "detached" });
        assert.deepEqual(await barriersIn(page), [], path);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(overflow <= 0, `${path} is ${overflow} px too wide`);
      }
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(background, scheme === "dark" ? "rgb(12, 12, 15)" : "rgb(255, 255, 255)");
    });
  }
}

dashboardTest("a chosen theme wins over the system's and is kept", async (open) => {
  const page = await open("/events", { scheme: "light" });
  await page.getByRole("button", { name: /^Theme/ }).click();
  await page.getByRole("menuitem", { name: "Dark" }).click();
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await background(), "rgb(12, 12, 15)");
  await page.reload();
  await page.getByRole("heading", { name: "Events" }).waitFor();
  assert.equal(await background(), "rgb(12, 12, 15)");
  await page.evaluate(() => localStorage.clear());
});

test("in production the dashboard asks for an API token, and then shows what was asked for", {
  skip,
  timeout: 60_000,
}, async () => {
  const service = await startService("start", ["--event-key", "test-event-key"]);
  const page = await browser.open(`${service.url}/events?name=prod/*`);
  try {
    await page.getByLabel("API token").fill("wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText(/unknown or has been revoked/).waitFor();
    await page.getByLabel("API token").fill(API_TOKEN);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL(/\/events\?name=prod/);
    await page.getByRole("button", { name: "Live tail: on" }).waitFor();
    const sent = await fetch(`${service.url}/e/test-event-key`, {
      method: "POST",
      body: JSON.stringify({ name: "prod/event", data: {} }),
    });
    assert.equal(sent.status, 200);
    await row(page, "prod/event").waitFor();
    await page.getByRole("button", { name: "Switch environment" }).waitFor();
    for (const link of ["Keys", "Environments", "Team"])
      await page.getByRole("link", { name: link }).waitFor();
  } finally {
    await page.close();
    await service.close();
  }
});

test("everything works under a base path", { skip, timeout: 60_000 }, async () => {
  const below = await startShop(["--base-path", "/tools/svc"]);
  const page = await browser.open(`${below.service.url}/tools/svc/`);
  try {
    await page.waitForURL(/\/tools\/svc\/events/);
    await page.getByRole("button", { name: "Live tail: on" }).waitFor();
    await below.send({ name: "below/path" });
    await row(page, "below/path").waitFor();
    await page.getByRole("link", { name: "Functions" }).click();
    await page.waitForURL(/\/tools\/svc\/functions/);
    await page.getByRole("link", { name: "Confirm an order" }).waitFor();
    assert.deepEqual(page.complaints, []);
  } finally {
    await page.close();
    await below.close();
  }
});

/** An address on which nothing listens. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://localhost:${port}/e/dev`;
}
