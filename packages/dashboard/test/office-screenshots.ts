/**
 * Part of `npm run screenshots`: the pages that manage a production service, in light and dark,
 * wide and narrow.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { startApp, startOffice } from "./office.ts";

const DIR = fileURLToPath(new URL("../screenshots", import.meta.url));
mkdirSync(DIR, { recursive: true });
const only = process.argv[2];

const office = await startOffice(["--retention", "90d", "--event-key", "key-of-the-configuration"]);
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
const keys = (await ada("GET", "/v1/event-keys")).data;
const entries = (await ada("GET", "/v1/audit-log?action=user.updated")).data;

const click = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).click();
  await page.getByRole("dialog").waitFor();
};
const shots: [
  name: string,
  path: string,
  act?: ((page: Page) => Promise<void>) | undefined,
  who?: string | null,
][] = [
  ["office-apps", "/apps"],
  ["office-app", "/apps?app=shop"],
  ["office-app-error", "/apps?app=billing"],
  ["office-app-add", "/apps?add=1"],
  ["office-keys", "/keys"],
  ["office-key", `/keys?key=${keys.at(-1).id}`],
  ["office-key-configured", `/keys?key=${keys[0].id}`],
  ["office-key-edit", `/keys?key=${limited.id}`, click("Edit")],
  [
    "office-key-secret",
    `/keys?key=${limited.id}`,
    async (page) => {
      await click("Rotate")(page);
      await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
      await page.locator("[data-secret]").waitFor();
    },
  ],
  ["office-keys-signing", "/keys?kind=signing"],
  ["office-keys-api", "/keys?kind=api"],
  ["office-token-create", "/keys?kind=api&create=1"],
  ["office-environments", "/environments"],
  ["office-environment", `/environments?environment=${branch.id}`],
  ["office-environment-archive", "/environments?tab=archive"],
  ["office-team", "/team"],
  ["office-person", `/team?person=${bob}`],
  ["office-invite", "/team?invite=1"],
  ["office-invitations", "/team?tab=invitations"],
  ["office-settings", "/settings"],
  ["office-audit", "/settings?tab=audit"],
  ["office-audit-entry", `/settings?tab=audit&entry=${entries[0].id}`],
  ["office-about", "/settings?tab=about"],
  ["office-account", "/account"],
  ["office-viewer-keys", "/keys", undefined, "Vera"],
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
  ["office-no-token", "/invitation", undefined, null],
];

const browser = await startBrowser();
const isOnly = (name: string) => only === undefined || name.includes(only);
for (const who of ["Ada", "Vera", null]) {
  const entry = await browser.open(`${office.url}/login`);
  await entry.context().clearCookies();
  if (who !== null) await office.become(entry, who);
  await entry.close();
  for (const scheme of ["light", "dark"] as const) {
    for (const [width, height] of [
      [1440, 900],
      [360, 740],
    ] as const) {
      for (const [name, path, act, whose = "Ada"] of shots) {
        if (whose !== who || !isOnly(`${name}-${scheme}-${width}`)) continue;
        const page = await browser.open(office.url + path, { scheme, width, height });
        try {
          await page.waitForLoadState("networkidle", { timeout: 900 }).catch(() => {});
          await act?.(page);
          await page.evaluate(() => document.fonts.ready);
        } catch (error) {
          console.log(name, scheme, width, String(error).slice(0, 400));
        }
        await page.screenshot({ path: `${DIR}/${name}-${scheme}-${width}.png` });
        if (page.complaints.length > 0) console.log(name, scheme, width, page.complaints);
        await page.close();
      }
    }
  }
}
await browser.close();
app.close();
await office.close();
