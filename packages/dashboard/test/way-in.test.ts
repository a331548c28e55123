/** Getting in and out in a real browser: set-up, login, invitations, password resets, the own account. */
import assert from "node:assert/strict";
import { startService } from "../../../test/service.ts";
import type { TestPage } from "./browser.ts";
import { PASSWORD, startOffice } from "./office.ts";
import { officeTests } from "./office-pages.ts";
import { assertNoBarriers } from "./page-tests.ts";

const officeTest = officeTests();

async function fill(page: TestPage, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(text);
}
const press = (page: TestPage, name: string | RegExp) => page.getByRole("button", { name }).click();
const path = (page: TestPage) => {
  const { pathname, search, hash } = new URL(page.url());
  return pathname + search + hash;
};
const arrived = (page: TestPage, name: string) =>
  page.getByRole("button", { name: `Account of ${name}` }).waitFor();

officeTest(
  "the first owner is made by the link that the start prints, and by no second one",
  async ({ open, atEnd }) => {
    const fresh = await startOffice([], false);
    atEnd(fresh.close);
    const page = await open(null, `${fresh.url}/events`);
    await page.getByText("This service has no owner yet").waitFor();
    await page.goto(fresh.setupUrl);
    await page.getByRole("heading", { name: "Set up svc" }).waitFor();
    assert.equal(path(page), "/setup", "the token is out of the address bar");
    await assertNoBarriers(page, "set-up");
    await fill(page, { Name: "Grace", "E-mail address": "grace@example.com", Password: "short" });
    await press(page, "Create the account");
    await page.getByText("Expected 10 to 200 characters.").waitFor();
    await fill(page, { Password: PASSWORD });
    await press(page, "Create the account");
    await arrived(page, "Grace");
    assert.equal(path(page), "/events");
    await page.goto(fresh.setupUrl);
    await page.getByRole("heading", { name: "This service is set up" }).waitFor();
  },
);

officeTest(
  "whoever is not logged in is led to the login, and back to where they wanted to go",
  async ({ open }) => {
    const page = await open(null, "/settings?tab=audit&action=user.*");
    await page.getByRole("heading", { name: "Log in to svc" }).waitFor();
    await assertNoBarriers(page, "login");
    await fill(page, { "E-mail address": "ada@example.com", Password: "not the password" });
    await press(page, "Log in");
    await page.getByRole("alert").getByText("The e-mail address or the password is wrong.").waitFor();
    await fill(page, { Password: PASSWORD });
    await page.keyboard.press("Enter");
    await arrived(page, "Ada");
    assert.equal(path(page), "/settings?tab=audit&action=user.*");
    await page.getByText("created the person").first().waitFor();
  },
);

officeTest("the login leads nowhere else, whatever its link says", async ({ open, office }) => {
  for (const to of ["//evil.example/x", "https://evil.example/"]) {
    const page = await open(null, `/login?to=${encodeURIComponent(to)}`);
    await fill(page, { "E-mail address": "ada@example.com", Password: PASSWORD });
    await press(page, "Log in");
    await arrived(page, "Ada");
    assert.equal(page.url(), `${office.url}/events`);
  }
});

officeTest("the login lets whoever is in already go on to where they wanted to go", async ({ open }) => {
  const page = await open("Ada", "/login?to=/settings?tab=audit");
  await page.getByRole("tab", { name: "Audit log", selected: true }).waitFor();
  assert.equal(path(page), "/settings?tab=audit");
});

officeTest(
  "when a session ends while a page is open, the next look leads to the login and back",
  async ({ open, office }) => {
    await office.join("member", "Sam");
    const page = await open("Sam", "/apps");
    await arrived(page, "Sam");
    const { data: people } = await office.ada("GET", "/v1/users");
    const sam = people.find((each: { name: string }) => each.name === "Sam").id;
    await office.ada("DELETE", `/v1/users/${sam}/sessions`);
    await page.getByRole("link", { name: "Environments" }).click();
    await page.getByRole("heading", { name: "Log in to svc" }).waitFor();
    await fill(page, { "E-mail address": "sam@example.com", Password: PASSWORD });
    await press(page, "Log in");
    await page.getByRole("heading", { name: "Environments" }).waitFor();
  },
);

officeTest(
  "an invitation makes an account once, and its token stays out of the address bar",
  async ({ open, office }) => {
    const { url } = (await office.ada("POST", "/v1/invitations", { role: "viewer" })).data;
    const page = await open(null, `${office.url}/invitation#svc_inv_not-this-one`);
    await page.getByRole("heading", { name: "Join svc" }).waitFor();
    assert.equal(path(page), "/invitation");
    await assertNoBarriers(page, "invitation");
    await fill(page, { Name: "Ivy", "E-mail address": "ivy@example.com", Password: PASSWORD });
    await press(page, "Create the account");
    await page.getByText("This link is unknown, has been used or has expired.").waitFor();
    // The right link, pasted into the same tab: only what follows the # differs.
    await page.evaluate((hash) => {
      window.location.hash = hash;
    }, new URL(url).hash);
    await page.waitForFunction(() => window.location.hash === "");
    await press(page, "Create the account");
    await arrived(page, "Ivy");
    await page.goto(url);
    await fill(page, { Name: "Eve", "E-mail address": "eve@example.com", Password: PASSWORD });
    await press(page, "Create the account");
    await page.getByText("This link is unknown, has been used or has expired.").waitFor();
  },
);

officeTest("a link that has lost its end says so", async ({ open }) => {
  for (const address of ["/invitation", "/password-reset"]) {
    const page = await open(null, address);
    await page.getByRole("heading", { name: "The link is missing its end" }).waitFor();
  }
});

officeTest(
  "a password is set anew by a link, and the old one is of no use any more",
  async ({ open, office }) => {
    const id = await office.join("member", "Pat");
    const { url } = (await office.ada("POST", `/v1/users/${id}/password-reset`)).data;
    const page = await open(null, url);
    await page.getByRole("heading", { name: "Set a new password" }).waitFor();
    assert.equal(path(page), "/password-reset");
    await fill(page, { "New password": "another engine of 1842" });
    await press(page, "Set the password");
    await page.getByRole("heading", { name: "The password is set" }).waitFor();
    await page.getByRole("link", { name: "Log in" }).click();
    await fill(page, { "E-mail address": "pat@example.com", Password: PASSWORD });
    await press(page, "Log in");
    await page.getByRole("alert").waitFor();
    await fill(page, { Password: "another engine of 1842" });
    await press(page, "Log in");
    await arrived(page, "Pat");
  },
);

officeTest(
  "people change their name and password, end their sessions and log out",
  async ({ open, office }) => {
    await office.join("member", "Kim");
    const page = await open("Kim", "/events");
    await press(page, "Account of Kim");
    await page.getByRole("menuitem", { name: "Your account" }).click();
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    await assertNoBarriers(page, "account");
    await fill(page, { Name: "Kim O'Hara" });
    await press(page, "Save");
    await arrived(page, "Kim O'Hara");

    await fill(page, { "Current password": "wrong", "New password": "yet another engine" });
    await press(page, "Change the password");
    await page.getByText("The current password is wrong.").waitFor();
    // The session by which Kim joined, and this one.
    const sessions = page.getByRole("button", { name: /^End the session/ });
    await sessions.first().waitFor();
    assert.equal(await sessions.count(), 1);
    await sessions.click();
    await sessions.waitFor({ state: "detached" });
    await fill(page, { "Current password": PASSWORD });
    await press(page, "Change the password");
    await page.getByText("Your password was changed, and your other sessions ended.").waitFor();

    await press(page, "Account of Kim O'Hara");
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await page.getByRole("heading", { name: "Log in to svc" }).waitFor();
    await page.goto(`${office.url}/apps`);
    await page.getByRole("heading", { name: "Log in to svc" }).waitFor();
  },
);

officeTest("the ways in work under a base path, and links lead there", async ({ open, atEnd }) => {
  const below = await startOffice(["--base-path", "/tools/svc"], false);
  atEnd(below.close);
  const page = await open(null, `${below.url}/tools/svc/apps?env=production`);
  await page.getByText("This service has no owner yet").waitFor();
  assert.equal(below.setupUrl.split("#")[0], `${below.url}/tools/svc/setup`);
  await page.goto(below.setupUrl);
  await fill(page, { Name: "Grace", "E-mail address": "grace@example.com", Password: PASSWORD });
  assert.equal(path(page), "/tools/svc/setup");
  await press(page, "Create the account");
  await arrived(page, "Grace");
  assert.equal(path(page), "/tools/svc/events");
  await page.goto(`${below.url}/tools/svc/team?invite=1`);
  await press(page, "Make the link");
  const link = (await page.locator("[data-secret]").textContent())!;
  assert.ok(link.startsWith(`${below.url}/tools/svc/invitation#`), link);
  await page.context().clearCookies();
  await page.goto(`${below.url}/tools/svc/settings?tab=about`);
  await fill(page, { "E-mail address": "grace@example.com", Password: PASSWORD });
  await press(page, "Log in");
  await page.waitForURL(`${below.url}/tools/svc/settings?tab=about`);
});

officeTest("svc dev has no login, and manages only what makes sense there", async ({ open, atEnd }) => {
  const dev = await startService("dev");
  atEnd(dev.close);
  const page = await open(null, `${dev.url}/login`);
  await page.getByRole("heading", { name: "Events" }).waitFor();
  const links = await page.getByRole("navigation").getByRole("link").allTextContents();
  assert.deepEqual(links, ["Events", "Runs", "Functions", "Apps", "Webhooks", "Settings"]);
  for (const [address, title] of [
    ["keys", "svc dev takes any key"],
    ["environments", "svc dev has one environment"],
    ["team", "Nobody logs in to svc dev"],
    ["account", "There is no account here"],
  ]) {
    await page.goto(`${dev.url}/${address}`);
    await page.getByRole("heading", { name: title! }).waitFor();
  }
  await page.goto(`${dev.url}/settings`);
  await page.getByText("Age after which events, webhook requests and finished runs are removed.").waitFor();
});
