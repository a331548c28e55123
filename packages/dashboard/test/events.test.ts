/** The list of events in a real browser, against a real service with a real app. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { eventRow, shop, shopTest } from "./shop-pages.ts";

shopTest("an empty service says what listens, and the command it suggests starts that", async (open) => {
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
  await eventRow(page, "order/placed").getByRole("img", { name: "shop-audit completed" }).waitFor();
});

shopTest("a time without events offers a longer one", async (open) => {
  const page = await open("/events?after=1000&before=2000");
  await page.getByText("Nothing was received in this time").waitFor();
  await page.getByRole("button", { name: "Last 30 days" }).click();
  await page.locator("[data-row-link]").first().waitFor();
});

shopTest("events come in live, with the state of the runs they start", async (open) => {
  const page = await open("/");
  await page.getByRole("button", { name: "Live tail: on" }).waitFor();
  await shop.send({ name: "live/first", data: { n: 1 } });
  await eventRow(page, "live/first").waitFor();
  await shop.send({ name: "order/placed", data: { order: 1 } });
  await eventRow(page, "order/placed").waitFor();
  await eventRow(page, "order/placed").getByRole("img", { name: "shop-audit completed" }).waitFor();
  await shop.send({ name: "order/paid" });
  await eventRow(page, "order/paid").getByRole("img", { name: "shop-charge failed" }).waitFor();
});

shopTest("what came just before the page was left is there when the reader comes back", async (open) => {
  await shop.send({ name: "left/before" });
  const page = await open("/events?name=left/*");
  await eventRow(page, "left/before").waitFor();
  await page.getByRole("button", { name: "Live tail: on" }).waitFor();
  await shop.send({ name: "left/seen" });
  await eventRow(page, "left/seen").waitFor();
  await page.getByRole("link", { name: "Functions", exact: true }).click();
  await page.getByRole("heading", { name: "Functions" }).waitFor();
  await shop.send({ name: "left/meanwhile" });
  await page.goBack();
  await eventRow(page, "left/meanwhile").waitFor();
  assert.equal(await eventRow(page, "left/seen").count(), 1);
});

shopTest(
  "an event between the reading of the list and the opening of a slow stream is not missed",
  async (open) => {
    await shop.send({ name: "between/before" });
    const page = await open("about:blank");
    let connect = () => {};
    const held = new Promise<void>((resolve) => {
      connect = resolve;
    });
    await page.route("**/v1/events/stream?*", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${shop.service.url}/events?name=between/*`);
    await eventRow(page, "between/before").waitFor();
    await shop.send({ name: "between/after" });
    connect();
    await eventRow(page, "between/after").waitFor();
  },
);

shopTest("after more events than are kept live the list has no hole", async (open) => {
  const page = await open("/events?name=flood/*");
  await page.getByText("No event fits these filters").waitFor();
  await page.getByRole("button", { name: "Live tail: on" }).waitFor();
  await shop.send({ name: "flood/first" });
  await eventRow(page, "flood/first").waitFor();
  for (let n = 0; n < 3; n++) {
    await shop.sendMany(Array.from({ length: 400 }, () => ({ name: "flood/many" })));
  }
  await shop.send({ name: "flood/last" });
  await eventRow(page, "flood/last").waitFor();
  const first = eventRow(page, "flood/first");
  await shop.service.eventually(async () => {
    await page.getByRole("table").evaluate((table) => {
      for (let each: Element | null = table; each !== null; each = each.parentElement) {
        each.scrollTop = each.scrollHeight;
      }
      for (const each of table.querySelectorAll("*")) each.scrollTop = each.scrollHeight;
    });
    assert.equal(await first.count(), 1);
  });
});

shopTest("what comes while the pointer is on the list waits behind a count", async (open) => {
  await shop.send({ name: "wait/before" });
  const page = await open("/events?name=wait/*");
  await page.getByRole("button", { name: "Live tail: on" }).waitFor();
  await eventRow(page, "wait/before").hover();
  await shop.sendMany([{ name: "wait/one" }, { name: "wait/two" }]);
  await page.getByRole("button", { name: "2 new" }).waitFor();
  assert.equal(await eventRow(page, "wait/one").count(), 0);
  await page.getByRole("button", { name: "2 new" }).click();
  await eventRow(page, "wait/two").waitFor();
  await eventRow(page, "wait/one").waitFor();
});

shopTest("filters stand in the address, and an address shows what it says", async (open) => {
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
  await eventRow(page, "filter/b").waitFor();
  await page.getByRole("searchbox", { name: "Text in name, ids or data" }).fill("bern");
  await page.waitForURL(/q=bern/);
  await eventRow(page, "filter/b").waitFor({ state: "detached" });
  await eventRow(page, "filter/a").waitFor();

  const again = await open(new URL(page.url()).pathname + new URL(page.url()).search);
  await eventRow(again, "filter/a").waitFor();
  assert.equal(await eventRow(again, "filter/b").count(), 0);
});

shopTest("what the service sends of its own accord is shown when it is asked for", async (open) => {
  const id = await shop.send({ name: "order/placed", data: { n: 11 } });
  await shop.service.finishedRun(id);
  const page = await open("/events");
  await eventRow(page, "order/placed").first().waitFor();
  assert.equal(await eventRow(page, "svc/function.finished").count(), 0);
  await page.getByLabel("Source").selectOption("Any, and the service itself");
  await eventRow(page, "svc/function.finished").first().waitFor();
  await eventRow(page, "order/placed").first().waitFor();
  const linked = await open("/events?source=service");
  await eventRow(linked, "svc/function.finished").first().waitFor();
  assert.equal(await eventRow(linked, "order/placed").count(), 0);
  const named = await open("/events?name=svc/*");
  await eventRow(named, "svc/function.finished").first().waitFor();
});

shopTest("the keyboard alone finds, opens, moves on and closes", async (open) => {
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
  await eventRow(page, "order/paid").waitFor({ state: "detached" });
  // While it loads, the list has no rows at all, and a search shows what it finds bit by bit.
  for (const name of ["keys/three", "keys/two", "keys/one"]) await eventRow(page, name).waitFor();
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

shopTest("dragging over the chart selects the range", async (open) => {
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
  await eventRow(page, "drag/me").waitFor();
});

shopTest("ten thousand events are a list of a few rows in the page", async (open) => {
  const batch = Array.from({ length: 5_000 }, (_, i) => ({ name: "many/events", data: { i } }));
  await shop.sendMany(batch);
  await shop.sendMany(batch);
  const page = await open("/events?name=many/events&live=off");
  await eventRow(page, "many/events").first().waitFor();
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
