/** One event in a real browser: its payload, its runs, its copies. */
import assert from "node:assert/strict";
import { shop, shopTest } from "./shop-pages.ts";

shopTest("an event shows its payload, its runs and where it came from", async (open) => {
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

shopTest("a payload of half a megabyte opens at once and is searched", async (open) => {
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

shopTest("an event is copied as curl, as a call, as JSON and as a type", async (open) => {
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
