/** Apps, keys, environments, the team and the settings in a real browser, against a real service. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startService } from "../../../test/service.ts";
import type { TestPage } from "./browser.ts";
import { startApp } from "./office.ts";
import { officeTests } from "./office-pages.ts";
import { assertNoBarriers, FEW_LOOKS } from "./page-tests.ts";

const CONFIGURED = "key-of-the-configuration";
const officeTest = officeTests(["--event-key", CONFIGURED, "--retention", "90d"], async (office) => {
  await office.join("viewer", "Vera");
  await office.join("admin", "Amy");
});

const press = (page: TestPage, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).click();
const inDialog = (page: TestPage, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
const row = (page: TestPage, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
const panel = (page: TestPage, name: string) => page.getByRole("region", { name, exact: true });
const secretOf = async (page: TestPage) => (await page.locator("[data-secret]").textContent())!;
const send = async (url: string, key: string, headers: Record<string, string> = {}) => {
  const body = '{"name":"shop/order","data":{}}';
  return (await fetch(`${url}/e/${key}`, { method: "POST", body, headers })).status;
};

officeTest(
  "an app is added by its address, tells what a sync changed, and is archived",
  async ({ open, office }) => {
    const { secret } = (await office.ada("POST", "/v1/signing-keys", { name: "apps" })).data;
    let app = await startApp({ baseUrl: office.url, signingKey: secret }, ["confirm", "audit"]);
    const { port } = new URL(app.url);
    const page = await open("Ada", "/apps");
    await page.getByRole("heading", { name: "No app has synced" }).waitFor();
    await assertNoBarriers(page, "no apps");
    await press(page, "Add by address");
    await page.getByLabel("Address").fill("http://127.0.0.1:1/api/svc");
    await inDialog(page, "Add");
    await page
      .getByRole("alert")
      .getByText(/Nothing listens at/)
      .waitFor();
    await page.getByLabel("Address").fill(app.url);
    await inDialog(page, "Add");
    await panel(page, "App shop").getByText("shop-confirm").waitFor();
    assert.match(page.url(), /\/apps\?app=shop$/);
    await assertNoBarriers(page, "an app");

    app.close();
    await press(page, "Sync now");
    await page.getByText(/Nothing listens at .*: the connection was refused/).waitFor();
    await row(page, "shop").getByText("Sync failed").waitFor();
    app = await startApp({ baseUrl: office.url, signingKey: secret, port: Number(port) }, [
      "confirm",
      "refund",
    ]);
    await press(page, "Sync now");
    await page.getByText("shop is in sync, with 2 functions; they have changed.").waitFor();
    const changes = panel(page, "App shop").getByRole("listitem");
    await changes.getByText("shop-refund").waitFor();
    assert.deepEqual(
      (await changes.allInnerTexts()).map((text) => text.replace(/\s+/g, " ")),
      ["+ Added shop-refund", "− Removed shop-audit"],
    );
    await row(page, "shop").getByText("In sync").waitFor();

    await press(page, "Archive");
    await page.getByRole("dialog").getByText("Its 2 functions no longer start").waitFor();
    await inDialog(page, "Archive");
    await page.getByRole("heading", { name: "No app has synced" }).waitFor();
    app.close();
  },
);

officeTest(
  "in development the page tells which addresses are tried, why in vain, and where more are looked for",
  async ({ open, atEnd }) => {
    // Something listens, and is no app.
    const other = createServer((_, res) => res.end("hello"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/api/svc`;
    const dev = await startService("dev", ["--discovery", "-u", url, "--poll-interval", "200ms"]);
    atEnd(() => {
      other.closeAllConnections();
      other.close();
      return dev.close();
    });
    const page = await open(null, `${dev.url}/apps`);
    await row(page, url).getByText("Being tried").waitFor();
    await page.getByText(/New apps are looked for every 0.2 s on this machine/).waitFor();
    await page.getByRole("link", { name: url }).click();
    await panel(page, `Address ${url}`)
      .getByText(/does not come from an SDK/)
      .first()
      .waitFor();
    await panel(page, `Address ${url}`).getByText(`curl -i ${url}`).waitFor();
    await assertNoBarriers(page, "an address");
  },
);

officeTest("an event key is shown once, works, is limited, rotated and revoked", async ({ open, office }) => {
  const page = await open("Ada", "/keys");
  const locked = row(page, "locked default");
  await locked.getByText("configuration").waitFor();
  await locked.getByRole("link").click();
  await panel(page, "Event key default").getByText("It is changed there").waitFor();
  assert.equal(await panel(page, "Event key default").getByRole("toolbar").count(), 0);

  await press(page, "Create an event key");
  await page.getByLabel("Name", { exact: true }).fill("web shop");
  await inDialog(page, "Create");
  const secret = await secretOf(page);
  assert.equal(await send(office.url, secret), 200);
  await assertNoBarriers(page, "a secret");
  await page.mouse.click(5, 5);
  assert.ok(await page.locator("[data-secret]").isVisible(), "a click beside it does not close it");
  await inDialog(page, "Copy");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret);
  await inDialog(page, "Done");
  assert.ok(!(await page.content()).includes(secret), "it is nowhere in the page any more");

  await row(page, "web shop").getByRole("link").click();
  await press(page, "Edit");
  const addresses = page.getByRole("group", { name: "Addresses" });
  await page.getByRole("group", { name: "Events" }).getByLabel("Only these").fill("user/*");
  await addresses.getByLabel("Never these").fill("300.1.1.1");
  await inDialog(page, "Save");
  await addresses.locator("[aria-invalid]").waitFor();
  await addresses.getByLabel("Never these").fill("203.0.113.0/24, 2001:db8::/32");
  await page.getByLabel("Requests").fill("5");
  await assertNoBarriers(page, "limits");
  await inDialog(page, "Save");
  await panel(page, "Event key web shop").getByText("5 requests per minute").waitFor();
  assert.equal(await send(office.url, secret), 403, "shop/order is not among user/*");

  await press(page, "Rotate");
  await inDialog(page, "Rotate");
  const next = await secretOf(page);
  assert.notEqual(next, secret);
  await inDialog(page, "Close without copying");
  await row(page, "web shop").first().getByText("ends in 23h").waitFor();
  assert.equal(await row(page, "web shop").count(), 2);
  await row(page, "web shop").last().getByRole("link").click();
  await press(page, "Revoke");
  await inDialog(page, "Revoke");
  await page.getByText("web shop was revoked.").waitFor();
  assert.equal(await send(office.url, next), 401);
});

officeTest(
  "a second signing key is accepted first, and signs once it is activated",
  async ({ open, office }) => {
    const page = await open("Ada", "/keys?kind=signing&env=branches");
    await page.getByRole("heading", { name: "There is no signing key" }).waitFor();
    for (const name of ["old", "new"]) {
      await press(page, "Create a signing key");
      await page.getByLabel("Name", { exact: true }).fill(name);
      await inDialog(page, "Create");
      assert.match(await secretOf(page), /^signkey-branch-/);
      await inDialog(page, "Close without copying");
    }
    await row(page, "old").getByText("signs").waitFor();
    await row(page, "new").getByRole("link").click();
    await press(page, "Activate");
    await row(page, "new").getByText("signs").waitFor();
    assert.equal(await row(page, "old").getByText("signs").count(), 0);
    const { data } = await office.ada("GET", "/v1/signing-keys?env=branches");
    assert.deepEqual(
      data.map((key: { name: string; signing: boolean }) => [key.name, key.signing]),
      [
        ["old", false],
        ["new", true],
      ],
    );
  },
);

officeTest(
  "an API token gets the rights that were chosen, in the environment that was chosen",
  async ({ open, office }) => {
    await office.ada("POST", "/v1/environments", { name: "eu", type: "named" });
    const page = await open("Ada", "/keys?kind=api&create=1");
    await page.getByLabel("Name", { exact: true }).fill("report");
    await page.getByLabel("send", { exact: true }).check();
    await page.getByRole("dialog").getByLabel("Environment").selectOption("eu");
    await assertNoBarriers(page, "a token");
    await inDialog(page, "Create");
    const authorization = `Bearer ${await secretOf(page)}`;
    await inDialog(page, "Close without copying");
    await row(page, "report").getByText("read, send").waitFor();
    const me = await (await fetch(`${office.url}/v1/me`, { headers: { authorization } })).json();
    assert.deepEqual([me.data.permissions, me.data.environment], [["read", "send"], "eu"]);
  },
);

officeTest(
  "a branch is created, told how to use, kept, archived and taken back",
  async ({ open, office }) => {
    const page = await open("Ada", "/environments");
    await press(page, "Create an environment");
    await page.getByLabel("Name", { exact: true }).fill("not a name");
    await inDialog(page, "Create");
    await page.getByRole("dialog").locator("[aria-invalid]").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("feature/checkout");
    await inDialog(page, "Create");
    const branch = panel(page, "Environment feature/checkout");
    await branch.getByText(/curl .* -H 'x-svc-env: feature\/checkout'/).waitFor();
    await branch.getByLabel("Archive it by itself when it is unused").click();
    await page.getByText("feature/checkout was changed.").waitFor();
    await branch.getByLabel(/Largest request/).fill("1024");
    await branch.getByRole("button", { name: "Save" }).click();
    await branch.getByText("1 MiB").waitFor();
    await assertNoBarriers(page, "an environment");
    const stored = async () =>
      (await office.ada("GET", "/v1/environments?limit=50")).data.find(
        (each: { name: string }) => each.name === "feature/checkout",
      );
    assert.deepEqual([(await stored()).auto_archive, (await stored()).max_request_bytes], [false, 1_048_576]);

    await press(page, "Archive");
    await inDialog(page, "Archive");
    await page.getByText("feature/checkout was archived.").waitFor();
    await page.getByRole("tab", { name: "Archive" }).click();
    await page.getByRole("link", { name: "feature/checkout" }).click();
    await press(page, "Take it back");
    await page.getByRole("heading", { name: "The archive is empty" }).waitFor();
    assert.equal((await stored()).archived_at, null);
    await page.getByRole("tab", { name: "In use" }).click();
    await page.getByRole("link", { name: "feature/checkout" }).click();
    await press(page, "Go to its events");
    await page.waitForURL(/\/events\?env=feature\/checkout/);
  },
);

officeTest("people are invited, given roles, let in again and removed", async ({ open, office }) => {
  const page = await open("Ada", "/team");
  await press(page, "Invite somebody");
  await page.getByRole("dialog").getByLabel("Role").selectOption("viewer");
  await page.getByLabel("E-mail address").fill("Bob@example.com");
  await assertNoBarriers(page, "inviting");
  await inDialog(page, "Make the link");
  assert.match(await secretOf(page), /\/invitation#/);
  const token = new URL(await secretOf(page)).hash.slice(1);
  await inDialog(page, "Close without copying");
  await page.getByRole("tab", { name: "Invitations (1)" }).click();
  await page.getByText("bob@example.com").waitFor();
  const joined = await fetch(`${office.url}/v1/invitations/accept`, {
    method: "POST",
    headers: { origin: office.url, "content-type": "application/json" },
    body: JSON.stringify({ token, name: "Bob", password: "an engine of 1843" }),
  });
  assert.equal(joined.status, 200);
  const cookie = joined.headers.getSetCookie()[0]!.split(";")[0]!;

  await page.goto(`${office.url}/team`);
  await page.getByRole("link", { name: "Bob" }).click();
  const bob = panel(page, "Person Bob");
  await bob.getByLabel("Role").selectOption("member");
  await page.getByText("Bob is a member now.").waitFor();
  await row(page, "Bob").getByText("Member").waitFor();
  await assertNoBarriers(page, "a person");
  await bob.getByRole("button", { name: "End all" }).click();
  await bob.getByText("Logged in nowhere.").waitFor();
  assert.equal((await fetch(`${office.url}/v1/me`, { headers: { cookie } })).status, 401);
  await press(page, "Password reset link");
  assert.match(await secretOf(page), /\/password-reset#/);
  await inDialog(page, "Close without copying");
  await press(page, "Remove");
  await inDialog(page, "Remove");
  await page.getByText("Bob was removed.").waitFor();
  assert.equal(await row(page, "Bob").count(), 0);
});

officeTest(
  "whoever lacks a right is told so, and sees no control that would be refused",
  async ({ open, office }) => {
    const page = await open("Vera", "/keys");
    for (const [address, title] of [
      ["/keys", "You may not look at keys"],
      ["/keys?kind=api&create=1", "You may not look at keys"],
      ["/team?invite=1", "You may not look at people"],
      ["/settings", "You may not look at the settings"],
      ["/settings?tab=audit", "You may not look at the audit log"],
    ] as const) {
      await page.goto(`${office.url}${address}`);
      await page.getByRole("heading", { name: title }).waitFor();
      await page.getByText("Your role is viewer").waitFor();
      assert.equal(await page.getByRole("dialog").count(), 0, address!);
    }
    await page.goto(`${office.url}/environments?create=1`);
    await row(page, "production").waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
    assert.equal(await page.getByRole("button", { name: "Create an environment" }).count(), 0);
    await page.goto(`${office.url}/apps?add=1`);
    await page.getByRole("heading", { name: "Apps" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Add by address" }).count(), 0);

    const admin = await open("Amy", "/team");
    await admin.getByRole("link", { name: "Ada" }).click();
    const owner = panel(admin, "Person Ada");
    await owner.getByText("Only owners change and remove owners. Your role is admin.").waitFor();
    assert.ok(await owner.getByLabel("Role").isDisabled());
    assert.equal(await owner.getByRole("toolbar").count(), 0);
    assert.equal(await owner.getByRole("button", { name: /^End/ }).count(), 0);
  },
);

officeTest(
  "settings are shown as running, and changes with what they were before",
  async ({ open, office }) => {
    const page = await open("Ada", "/settings");
    const retention = page.getByRole("listitem").filter({ hasText: "SVC_RETENTION" }).first();
    await retention.getByText("90d").waitFor();
    await retention.getByText("changed").waitFor();
    assert.ok(!(await page.content()).includes(CONFIGURED));
    await assertNoBarriers(page, "settings");

    await page.getByRole("tab", { name: "Audit log" }).click();
    await page.getByText("created the person").first().waitFor();
    await page.getByLabel("Action").selectOption("event_key.*");
    await page.waitForURL(/action=event_key\.\*/);
    await page.getByText("rotated the event key").first().waitFor();
    assert.equal(await page.getByText("created the person").count(), 0);
    const { data } = await office.ada("GET", "/v1/audit-log?action=user.updated");
    await page.goto(`${office.url}/settings?tab=audit&entry=${data[0].id}`);
    const change = panel(page, "Change user.updated");
    await change.getByRole("row", { name: /role .*viewer .*member/ }).waitFor();
    await assertNoBarriers(page, "a change");
    await page.getByRole("tab", { name: "About" }).click();
    await page.getByRole("link", { name: /API description/ }).waitFor();
    await assertNoBarriers(page, "about");
  },
);

officeTest(
  "lists are walked, opened and closed by keyboard, and the way back is the browser's",
  async ({ open }) => {
    const page = await open("Ada", "/team");
    await row(page, "Ada · you").waitFor();
    const focused = (name: string) => page.locator("[data-row-link]:focus").getByText(name).waitFor();
    await page.keyboard.press("j");
    await focused("Ada");
    await page.keyboard.press("j");
    await focused("Vera");
    await page.keyboard.press("Enter");
    await panel(page, "Person Vera").waitFor();
    await page.keyboard.press("j");
    await panel(page, "Person Amy").waitFor();
    await page.keyboard.press("Escape");
    await panel(page, "Person Amy").waitFor({ state: "detached" });
    await page.goBack();
    await panel(page, "Person Amy").waitFor();
    await page.reload();
    await panel(page, "Person Amy").waitFor();
  },
);

officeTest(
  "a link opens what it names, however far down its list, and says when it is not there",
  async ({ open, office }) => {
    await office.ada("POST", "/v1/environments", { name: "crowded", type: "named" });
    let last = { id: "" };
    for (let i = 0; i < 130; i++) {
      last = (await office.ada("POST", "/v1/event-keys?env=crowded", { name: `sender ${i}` })).data;
    }
    const page = await open("Ada", `/keys?env=crowded&key=${last.id}`);
    await panel(page, "Event key sender 129").waitFor();
    await page.goto(`${office.url}/keys?env=production&key=${last.id}`);
    await page.getByRole("heading", { name: "There is no such event key" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "There is no such event key" }).waitFor({ state: "detached" });
  },
);

officeTest("a list that cannot be read says why, and is read again on demand", async ({ open }) => {
  const page = await open("Ada", "/apps");
  await page.getByRole("heading", { name: "Apps" }).waitFor();
  await page.route("**/v1/users?*", (route) => route.abort());
  await page.getByRole("link", { name: "Team" }).click();
  await page.getByText("The service does not answer.").waitFor();
  await page.unroute("**/v1/users?*");
  await press(page, "Try again");
  await row(page, "Ada · you").waitFor();
  page.complaints.length = 0;
});

officeTest(
  "another environment shows the same list: what is open, and filters, are of the one before",
  async ({ open, office }) => {
    await office.ada("POST", "/v1/environments", { name: "here", type: "named" });
    await office.ada("POST", "/v1/environments", { name: "gone", type: "branch" });
    const { id: gone } = (await office.ada("GET", "/v1/environments?limit=50")).data.find(
      (each: { name: string }) => each.name === "gone",
    );
    await office.ada("POST", `/v1/environments/${gone}/archive`);
    const { secret } = (await office.ada("POST", "/v1/event-keys", { name: "switching" })).data;
    assert.equal(await send(office.url, secret), 200);
    const page = await open("Ada", "/events?name=shop/order");
    await page.getByRole("link", { name: "shop/order" }).first().click();
    await panel(page, "Event shop/order").waitFor();
    await page.getByRole("button", { name: "Switch environment: production" }).click();
    await page.getByRole("menuitem", { name: "here", exact: true }).click();
    await page.waitForURL(/\/events\?env=here$/);
    await page.getByText("Nothing was received yet").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "here", exact: true }).waitFor();
    assert.equal(await page.getByRole("option", { name: "gone", exact: true }).count(), 0);
    await page.getByRole("option", { name: "production", exact: true }).click();
    await page.waitForURL(/\/events$/);
  },
);

officeTest(
  "a link to an environment that is not there says so, and leads out",
  async ({ open }) => {
    const page = await open("Ada", "/runs?env=feature/gone");
    await page.getByRole("heading", { name: "There is no environment feature/gone" }).waitFor();
    await assertNoBarriers(page, "no environment", FEW_LOOKS);
    await page.getByRole("link", { name: "Go to production" }).click();
    await page.getByRole("button", { name: "Switch environment: production" }).waitFor();
    await page.getByRole("heading", { name: "Events", exact: true }).waitFor();
  },
  { expected: /no such environment/ },
);
