/** Part of `npm run screenshots`: the pages that manage a production service, and the ways into it. */
import { startBrowser } from "./browser.ts";
import { startApp, startOffice } from "./office.ts";
import { type Act, all, opens, type Shot, takeScreenshots } from "./take-screenshots.ts";

const office = await startOffice(["--retention", "90d", "--event-key", "key-of-the-configuration"]);
const unowned = await startOffice([], false);
const { ada } = office;
const signing = (await ada("POST", "/v1/signing-keys", { name: "from May on" })).data;
const app = await startApp({ baseUrl: office.url, signingKey: signing.secret }, [
  "confirm",
  "refund",
  "audit",
]);
await ada("POST", "/v1/apps", { url: app.url });
const gone = await startApp({ baseUrl: office.url, signingKey: signing.secret, id: "billing" }, ["invoice"]);
await ada("POST", "/v1/apps", { url: gone.url });
gone.close();
await ada("POST", "/v1/apps", { url: gone.url }).catch(() => {});
const limited = (
  await ada("POST", "/v1/event-keys", {
    name: "browsers of the shop",
    event_filter: { allow: ["shop/*"], deny: ["shop/refund.created"] },
    ip_filter: { allow: [], deny: ["203.0.113.0/24", "2001:db8::/32"] },
    rate_limit: { requests: 100, per: "minute" },
  })
).data;
await ada("POST", "/v1/event-keys", { name: "back office" });
await ada("POST", `/v1/event-keys/${limited.id}/rotate`, { grace: "24h" });
await ada("POST", "/v1/signing-keys", { name: "the next one" });
await ada("POST", "/v1/environments", { name: "staging", type: "named" });
const branch = (await ada("POST", "/v1/environments", { name: "feature/checkout", type: "branch" })).data;
await ada("POST", "/v1/environments", {
  name: "renovate/very-long-name-of-a-branch-that-somebody-made",
  type: "branch",
});
const token = { name: "nightly report", scopes: ["read"], environment: "staging", expires_in: "90d" };
await ada("POST", "/v1/api-tokens", token);
const bob = await office.join("member", "Bob");
await office.join("viewer", "Vera");
await ada("PATCH", `/v1/users/${bob}`, { role: "admin" });
await ada("POST", "/v1/invitations", { role: "member", email: "eve@example.com" });
const old = (await ada("POST", "/v1/environments", { name: "fix/typo", type: "branch" })).data;
await ada("POST", `/v1/environments/${old.id}/archive`);
const keys = (await ada("GET", "/v1/event-keys")).data;
const entries = (await ada("GET", "/v1/audit-log?action=user.updated")).data;

/** Presses the button of the dialog that is open. */
const confirm =
  (name: string): Act =>
  (page) =>
    page.getByRole("dialog").getByRole("button", { name }).click();
const secret: Act = (page) => page.locator("[data-secret]").waitFor();
const pages: [name: string, path: string, act?: Act | undefined, who?: string | null][] = [
  ["office-apps", "/apps"],
  ["office-app", "/apps?app=shop"],
  ["office-app-error", "/apps?app=billing"],
  ["office-app-add", "/apps?add=1"],
  [
    "office-app-add-refused",
    "/apps?add=1",
    async (page) => {
      await page.getByLabel("Address").fill("http://127.0.0.1:9/api/svc");
      await confirm("Add")(page);
      await page
        .getByRole("dialog")
        .getByText(/Nothing listens|refused/)
        .first()
        .waitFor();
    },
  ],
  ["office-app-archive", "/apps?app=shop", opens("Archive")],
  ["office-keys", "/keys"],
  ["office-key", `/keys?key=${keys.at(-1).id}`],
  ["office-key-configured", `/keys?key=${keys[0].id}`],
  ["office-key-edit", `/keys?key=${limited.id}`, opens("Edit")],
  ["office-key-secret", `/keys?key=${limited.id}`, all(opens("Rotate"), confirm("Rotate"), secret)],
  ["office-key-rotate", `/keys?key=${limited.id}`, opens("Rotate")],
  ["office-key-revoke", `/keys?key=${limited.id}`, opens("Revoke")],
  ["office-key-create", "/keys?create=1", (page) => page.getByRole("dialog").getByRole("checkbox").check()],
  ["office-key-missing", "/keys?key=none"],
  ["office-keys-signing", "/keys?kind=signing"],
  ["office-keys-api", "/keys?kind=api"],
  ["office-token-create", "/keys?kind=api&create=1"],
  ["office-environments", "/environments"],
  ["office-environment-create", "/environments?create=1"],
  ["office-environment-archiving", `/environments?environment=${branch.id}`, opens("Archive")],
  ["office-environment", `/environments?environment=${branch.id}`],
  ["office-environment-archive", "/environments?tab=archive"],
  ["office-team", "/team"],
  ["office-person", `/team?person=${bob}`],
  ["office-person-remove", `/team?person=${bob}`, opens("Remove")],
  ["office-person-reset", `/team?person=${bob}`, opens("Password reset link")],
  ["office-invite", "/team?invite=1"],
  ["office-invite-link", "/team?invite=1", all(confirm("Make the link"), secret)],
  ["office-invitations", "/team?tab=invitations"],
  ["office-settings", "/settings"],
  ["office-audit", "/settings?tab=audit"],
  ["office-audit-empty", "/settings?tab=audit&actor=nobody"],
  ["office-audit-entry", `/settings?tab=audit&entry=${entries[0].id}`],
  ["office-about", "/settings?tab=about"],
  ["office-account", "/account"],
  ["office-viewer-keys", "/keys", undefined, "Vera"],
  ["office-viewer-events", "/events", undefined, "Vera"],
  ["office-viewer-team", "/team", undefined, "Vera"],
  ["office-viewer-app", "/apps?app=shop", undefined, "Vera"],
  ["office-login", "/login", undefined, null],
  [
    "office-login-wrong",
    "/login",
    async (page) => {
      await page.getByLabel("E-mail address").fill("ada@example.com");
      await page.getByLabel("Password", { exact: true }).fill("wrong");
      await page.getByRole("button", { name: "Log in" }).click();
      await page.getByRole("alert").waitFor();
    },
    null,
  ],
  ["office-invitation", "/invitation#x", undefined, null],
  ["office-password-reset", "/password-reset#x", undefined, null],
  ["office-setup-done", "/setup#x", undefined, null],
  ["office-login-token", "/login?with=token", undefined, null],
  ["office-setup-new", unowned.setupUrl, undefined, null],
  ["office-no-token", "/invitation", undefined, null],
];

const browser = await startBrowser();
for (const who of ["Ada", "Vera", null]) {
  const entry = await browser.open(`${office.url}/login`);
  await entry.context().clearCookies();
  if (who !== null) await office.become(entry, who);
  await entry.close();
  const shots = pages
    .filter(([, , , whose = "Ada"]) => whose === who)
    .map(([name, path, act]): Shot => ({ name, url: new URL(path, office.url).href, act }));
  await takeScreenshots(browser, shots);
}
await browser.close();
app.close();
await office.close();
await unowned.close();
