/** A session that ends while something is being written: the work is there after the login, for its writer alone. */
import assert from "node:assert/strict";
import type { TestPage } from "./browser.ts";
import { PASSWORD } from "./office.ts";
import { officeTests } from "./office-pages.ts";

const officeTest = officeTests();

async function logIn(page: TestPage, name: string): Promise<void> {
  await page.getByLabel("E-mail address").fill(`${name.toLowerCase()}@example.com`);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in" }).click();
}

officeTest(
  "an event that is being written is there after the login, for nobody else",
  async ({ open, office }) => {
    const sam = await office.join("admin", "Sam");
    const page = await open("Sam", "/events?range=7d");
    await page.getByRole("button", { name: "Send event" }).first().click();
    const editor = page.getByRole("textbox", { name: "Event as JSON" });
    const typed = '{"name":"typed/long","data":{}}';
    await editor.fill(typed);
    await office.ada("DELETE", `/v1/users/${sam}/sessions`);
    await page.keyboard.press("Control+Enter");
    await page.waitForURL((url) => url.pathname === "/login");
    await logIn(page, "Sam");
    await page.waitForURL((url) => url.pathname === "/events" && url.search === "?range=7d");
    await editor.waitFor();
    assert.equal(await editor.textContent(), typed);

    await office.ada("DELETE", `/v1/users/${sam}/sessions`);
    await page.keyboard.press("Control+Enter");
    await page.waitForURL((url) => url.pathname === "/login");
    await logIn(page, "Ada");
    await page.waitForURL((url) => url.pathname === "/events");
    await editor.waitFor();
    assert.notEqual(await editor.textContent(), typed);
  },
);

officeTest("a transform that is being written is there after the login", async ({ open, office }) => {
  const kim = await office.join("admin", "Kim");
  const transform = "function transform(evt) { return null; }";
  const hook = (await office.ada("POST", "/v1/webhooks", { name: "Orders", transform })).data;
  const page = await open("Kim", `/webhooks/${hook.id}`);
  const editor = page.getByRole("textbox", { name: "Transform code" });
  await editor.fill("function transform(evt) { /* an hour of work */ }");
  await page.getByText("Version 1, changed").waitFor();
  await office.ada("DELETE", `/v1/users/${kim}/sessions`);
  await page.waitForURL((url) => url.pathname === "/login", { timeout: 30_000 });
  await logIn(page, "Kim");
  await page.getByText("Version 1, changed").waitFor();
  assert.match((await editor.textContent())!, /an hour of work/);

  await page.getByRole("link", { name: "Events", exact: true }).click();
  await page.getByRole("button", { name: "Leave, and lose them" }).click();
  await page.waitForURL((url) => url.pathname === "/events");
  await page.goBack();
  await page.getByText("Version 1", { exact: true }).waitFor();
});
