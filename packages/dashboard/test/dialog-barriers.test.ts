/** What opens over pages: dialogs, menus and filters have no barriers and fit, in any look. */
import type { TestPage } from "./browser.ts";
import { dev, hookTest, requestsOf } from "./hook-pages.ts";
import { shopHook } from "./hooks.ts";
import { assertNoBarriers, FEW_LOOKS } from "./page-tests.ts";

const press = (page: TestPage, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).click();

/** Look at what is open, then close it. */
async function check(page: TestPage, what: string): Promise<void> {
  await assertNoBarriers(page, what, FEW_LOOKS);
  await page.keyboard.press("Escape");
  await page.locator("[role=dialog], [role=menu]").first().waitFor({ state: "detached" });
}

hookTest("what keys open anywhere", async (open) => {
  await dev.call("POST", "/v1/events", [{ name: "dialogs/first", data: {} }]);
  const page = await open("/events");
  await page.getByText("dialogs/first").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Go to a page/).waitFor();
  await check(page, "the command palette");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await check(page, "the shortcuts");
  await page.keyboard.press("c");
  await page.getByRole("textbox", { name: "Event as JSON" }).waitFor();
  await assertNoBarriers(page, "sending an event", FEW_LOOKS);
});

hookTest("menus and filters of lists", async (open) => {
  await dev.call("POST", "/v1/events", [{ name: "dialogs/second", data: {} }]);
  const page = await open("/events");
  await page.getByText("dialogs/second").first().waitFor();
  await press(page, /^Theme/);
  await page.getByRole("menuitem", { name: "Dark" }).waitFor();
  await check(page, "the themes");
  await press(page, /^Time range/);
  await page.getByLabel("From").waitFor();
  await check(page, "the range of time");
  await press(page, "Filter by name");
  await page.getByPlaceholder("Find a name…").waitFor();
  await page.locator("[cmdk-item]").first().waitFor();
  await check(page, "the names");
  await page.getByRole("link", { name: "dialogs/second" }).first().click();
  await press(page, "Copy as");
  await page.getByRole("menuitem", { name: "curl" }).waitFor();
  await check(page, "the ways to copy");
  await page.goto(`${dev.service.url}/runs`);
  await press(page, "Filter by status");
  await page.locator("[cmdk-item]").first().waitFor();
  await check(page, "the states");
});

hookTest("the navigation over a narrow page", async (open) => {
  for (const scheme of ["light", "dark"] as const) {
    const page = await open("/events", { scheme, width: 360, height: 740 });
    await press(page, "Open the navigation");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Runs" }).waitFor();
    await assertNoBarriers(page, "the navigation", FEW_LOOKS);
  }
});

hookTest("dialogs of a webhook", async (open) => {
  const hook = await shopHook(dev, "Dialogs");
  const failed = (await requestsOf(dev, hook.id)).find(({ status }) => status === "failed")!;
  const page = await open(`/webhooks/${hook.id}?input=${failed.id}`);
  await page.getByText("The transform threw").waitFor();
  await page.getByRole("textbox", { name: "Transform code" }).fill("const transform = () => null;");
  await page.keyboard.press("Control+s");
  await page.getByText(/Of the last 5 requests/).waitFor();
  await check(page, "saving");
  await page.getByRole("link", { name: "Webhooks" }).first().click();
  await page.getByRole("dialog").waitFor();
  await assertNoBarriers(page, "leaving", FEW_LOOKS);
  const fresh = await open(`/webhooks/${hook.id}?tab=requests`);
  await press(fresh, "Replay…");
  await fresh.getByRole("button", { name: "Replay all" }).waitFor();
  await check(fresh, "replaying");
  await fresh.goto(`${dev.service.url}/webhooks/${hook.id}?tab=settings`);
  await press(fresh, "Rotate…");
  await fresh.getByRole("button", { name: "Rotate the URL" }).waitFor();
  await check(fresh, "rotating");
  await press(fresh, "Delete…");
  await fresh.getByRole("button", { name: "Delete the webhook" }).waitFor();
  await check(fresh, "deleting");
});
