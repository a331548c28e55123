/** By keyboard alone: from a list to what is done with one of its rows. The pointer is never used. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { TestPage } from "./browser.ts";
import { SHOP_TRANSFORM } from "./hooks.ts";
import { officeTests } from "./office-pages.ts";
import { works, worksTest } from "./workshop-pages.ts";

/** Presses until the focus is there, as somebody does who sees where it is. */
async function reach(page: TestPage, key: string, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`60 times ${key} did not lead to ${wanted}`);
}

const button = (page: TestPage, name: string) => page.getByRole("button", { name, exact: true });

/** Open the first row of the list that is shown. */
async function openRow(page: TestPage, name: string): Promise<void> {
  await page.locator("[data-row-link]", { hasText: name }).first().waitFor();
  await page.keyboard.press("j");
  await page.locator("[data-row-link]:focus", { hasText: name }).waitFor();
  await page.keyboard.press("Enter");
}

async function go(page: TestPage, letter: string, address: RegExp): Promise<void> {
  await page.keyboard.press("g");
  await page.keyboard.press(letter);
  await page.waitForURL(address);
}

worksTest("from the events to one of them, and to its replay", async (open) => {
  const [id] = await works.send([{ name: "keyboard/replayed" }]);
  const page = await open("/runs");
  await page.getByRole("heading", { name: "Runs" }).waitFor();
  await go(page, "e", /\/events/);
  await openRow(page, "keyboard/replayed");
  await page.waitForURL(new RegExp(`/events/${id}`));
  await reach(page, "Tab", button(page, "Replay"));
  await page.keyboard.press("Enter");
  await reach(page, "Tab", button(page, "Open it"));
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname.startsWith("/events/") && !url.pathname.endsWith(id!));
  await page.getByText("api · replay").first().waitFor();
});

worksTest("from the runs to one of them, which is cancelled", async (open) => {
  const id = await works.run("work/held");
  await works.reaches(id, "running");
  const page = await open("/events");
  await page.getByRole("heading", { name: "Events" }).waitFor();
  await go(page, "r", /\/runs/);
  await openRow(page, "Held job");
  await page.waitForURL(new RegExp(`/runs/${id}`));
  await reach(page, "Tab", button(page, "Cancel run"));
  await page.keyboard.press("Enter");
  await reach(page, "Tab", button(page, "Cancel the run"));
  await page.keyboard.press("Enter");
  await works.reaches(id, "cancelled");
  await page.getByRole("region", { name: "Run of Held job" }).getByText("Cancelled").first().waitFor();
});

const officeTest = officeTests();

officeTest(
  "from the webhooks to the tester of one, through its editors and out again",
  async ({ open, office }) => {
    await office.ada("POST", "/v1/webhooks", { name: "By keyboard", transform: SHOP_TRANSFORM });
    const page = await open("Ada", "/events");
    await page.getByRole("heading", { name: "Events" }).waitFor();
    await go(page, "w", /\/webhooks/);
    await openRow(page, "By keyboard");
    await reach(page, "Tab", page.getByRole("textbox", { name: "Transform code" }));
    await page.keyboard.press("Control+a");
    await page.keyboard.type("const transform = (evt) => ({ name: 'by/keyboard', data: evt })");
    const body = page.getByRole("textbox", { name: "Incoming Event JSON" });
    await reach(page, "Tab", body);
    await page.keyboard.press("Control+a");
    await page.keyboard.type('{"typed": true}');
    await page.getByRole("region", { name: "Tester" }).locator("code", { hasText: "by/keyboard" }).waitFor();
    await reach(page, "Shift+Tab", page.getByRole("textbox", { name: "Transform code" }));
  },
);

officeTest("from the keys to a new one, whose secret is copied", async ({ open }) => {
  const page = await open("Ada", "/events");
  await page.getByRole("heading", { name: "Events" }).waitFor();
  await go(page, "k", /\/keys/);
  await reach(page, "Tab", button(page, "Create an event key"));
  await page.keyboard.press("Enter");
  await reach(page, "Tab", page.getByLabel("Name", { exact: true }));
  await page.keyboard.type("typed");
  await page.keyboard.press("Enter");
  const secret = await page.locator("[data-secret]").textContent();
  await reach(page, "Tab", page.getByRole("dialog").getByRole("button", { name: "Copy", exact: true }));
  await page.keyboard.press("Enter");
  await page.waitForFunction(async (text) => (await navigator.clipboard.readText()) === text, secret);
  await reach(page, "Tab", button(page, "Done"));
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "typed" }).waitFor();
});
