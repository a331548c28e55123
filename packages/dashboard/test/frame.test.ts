/** What surrounds the pages, in a real browser: the command palette, the theme, the token, the base path. */
import assert from "node:assert/strict";
import { API_TOKEN, startService } from "../../../test/service.ts";
import { assertClean, LOOKS, lookText } from "./page-tests.ts";
import { startShop } from "./shop.ts";
import { eventRow, shop, shopTest } from "./shop-pages.ts";

shopTest("the command palette goes to pages and finds an event by its sender's id", async (open) => {
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

for (const look of LOOKS) {
  shopTest(`the pages have no barriers and fit, ${lookText(look)}`, async (open) => {
    const id = await shop.send({ name: "order/placed", data: { city: "Bern" } });
    await shop.service.finishedRun(await shop.send({ name: "order/paid" }));
    const page = await open(`/events/${id}`, look);
    await page.getByRole("region", { name: "Event order/placed" }).getByText('"Bern"').waitFor();
    await assertClean(page, "an event");
    const paths = ["/events", "/runs", "/functions", "/apps", "/webhooks", "/settings", "/login", "/nothing"];
    for (const path of paths) {
      await page.goto(shop.service.url + path);
      await page.getByRole("heading").first().waitFor();
      await page
        .getByRole("status", { name: /^Loading/ })
        .first()
        .waitFor({ state: "detached" });
      await assertClean(page, path);
    }
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(background, look.scheme === "dark" ? "rgb(12, 12, 15)" : "rgb(255, 255, 255)");
  });
}

shopTest("a chosen theme wins over the system's and is kept", async (open) => {
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

shopTest(
  "in production the dashboard asks for an API token, and then shows what was asked for",
  async (open, atEnd) => {
    const service = await startService("start", ["--event-key", "test-event-key"]);
    atEnd(service.close);
    const page = await open(`${service.url}/events?name=prod/*`);
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
    await eventRow(page, "prod/event").waitFor();
    await page.getByRole("button", { name: "Switch environment" }).waitFor();
    for (const link of ["Keys", "Environments", "Team"])
      await page.getByRole("link", { name: link }).waitFor();
  },
  { expected: /401/ },
);

shopTest("everything works under a base path", async (open, atEnd) => {
  const below = await startShop(["--base-path", "/tools/svc"]);
  atEnd(below.close);
  const page = await open(`${below.service.url}/tools/svc/`);
  await page.waitForURL(/\/tools\/svc\/events/);
  await page.getByRole("button", { name: "Live tail: on" }).waitFor();
  await below.send({ name: "below/path" });
  await eventRow(page, "below/path").waitFor();
  await page.getByRole("link", { name: "Functions" }).click();
  await page.waitForURL(/\/tools\/svc\/functions/);
  await page.getByRole("link", { name: "Confirm an order" }).waitFor();
});

shopTest("the browser's tab says which page it is, and what is open on it", async (open) => {
  const id = await shop.send({ name: "title/told" });
  const page = await open(`/events/${id}`);
  const told = (title: string) => page.waitForFunction((wanted) => document.title === wanted, title);
  await told("Event title/told · Events · svc");
  await page.keyboard.press("Escape");
  await told("Events · svc");
  await page.goto(`${shop.service.url}/functions/shop-audit`);
  await told("Audit · svc");
  await page.getByRole("link", { name: "Functions" }).first().click();
  await told("Functions · svc");
  await page.goto(`${shop.service.url}/nothing`);
  await told("Not found · svc");
});

shopTest("the settings say of what is not done whether it is not done", async (open) => {
  // The shop's service looks for no apps.
  const page = await open("/settings");
  const row = page.getByRole("listitem").filter({ hasText: "SVC_DISCOVERY" });
  await row.getByText("Do not look for apps on common ports and paths.").waitFor();
  assert.equal(await row.getByText("yes", { exact: true }).count(), 1);
});
