/** Every page of the dashboard, as production shows it: no barriers, and nothing sticks out, in any look. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type Office, startApp } from "./office.ts";
import { officeTests } from "./office-pages.ts";
import { assertNoBarriers, FEW_LOOKS } from "./page-tests.ts";

interface View {
  address: string;
  /** A text of the page when it is there. */
  sign: string | RegExp;
  /** Ada if not said; null is nobody. */
  who?: string | null;
}

const officeTest = officeTests(["--event-key", "key-of-the-barriers"], async (office) => {
  await office.join("viewer", "Vera");
  views = await viewsOf(office);
});

/** Of `routes.tsx`; the first one only leads to another. */
const ROUTES = [
  ...readFileSync(new URL("../src/routes.tsx", import.meta.url), "utf8").matchAll(/path: "(.+)"/g),
]
  .map(([, path]) => path!)
  .filter((path) => path !== "/");
let views: Record<string, View[]> = {};

/** What each route of `routes.tsx` shows. */
async function viewsOf(office: Office): Promise<Record<string, View[]>> {
  const { secret } = (await office.ada("POST", "/v1/signing-keys", { name: "apps" })).data;
  const app = await startApp({ baseUrl: office.url, signingKey: secret }, ["confirm"]);
  await office.ada("POST", "/v1/apps", { url: app.url });
  const limits = {
    name: "limited",
    event_filter: { allow: ["shop/*"], deny: [] },
    ip_filter: { allow: [], deny: ["2001:db8::/32"] },
    rate_limit: { requests: 5, per: "minute" },
  };
  const key = (await office.ada("POST", "/v1/event-keys", limits)).data;
  await office.ada("POST", "/v1/api-tokens", { name: "report", scopes: ["read"], expires_in: "90d" });
  const branch = { name: "feature/with-a-name-that-is-rather-long-for-a-narrow-page", type: "branch" };
  const environment = (await office.ada("POST", "/v1/environments", branch)).data;
  const old = (await office.ada("POST", "/v1/environments", { name: "feature/old", type: "branch" })).data;
  await office.ada("POST", `/v1/environments/${old.id}/archive`);
  await office.ada("POST", "/v1/invitations", { role: "member", email: "eve@example.com" });
  const transform = "function transform(evt) {\n  return { name: 'shop/came', data: evt };\n}";
  const hook = (await office.ada("POST", "/v1/webhooks", { name: "Orders", transform })).data;
  const sent = { name: "shop/confirm", data: { city: "Bern" } };
  const [eventId] = (await office.ada("POST", "/v1/events", [sent])).data.ids;
  const [run] = (await office.ada("GET", `/v1/events/${eventId}/runs`)).data;
  return {
    "/events": [{ address: "/events", sign: "shop/confirm" }],
    $eventId: [
      { address: `/events/${eventId}`, sign: '"Bern"' },
      { address: "/events/none", sign: "There is no such event" },
    ],
    "/runs": [{ address: "/runs", sign: "shop/confirm" }],
    $runId: [{ address: `/runs/${run.id}`, sign: "Timeline" }],
    "/functions": [{ address: "/functions", sign: "shop/confirm" }],
    "/functions/$functionId": [{ address: "/functions/shop-confirm", sign: "Configuration" }],
    "/apps": [
      { address: "/apps", sign: "In sync" },
      { address: "/apps?add=1", sign: "Add by address" },
    ],
    "/webhooks": [{ address: "/webhooks", sign: "Orders" }],
    "/webhooks/$webhookId": [
      { address: `/webhooks/${hook.id}`, sign: "Transformed event" },
      { address: `/webhooks/${hook.id}?tab=requests`, sign: "No request has come yet" },
      { address: `/webhooks/${hook.id}?tab=filters`, sign: "Rate limit" },
      { address: `/webhooks/${hook.id}?tab=settings`, sign: "Delete…" },
      { address: "/webhooks/none", sign: "There is no such webhook" },
    ],
    "/keys": [
      { address: "/keys", sign: "limited" },
      { address: `/keys?key=${key.id}`, sign: "5 requests per minute" },
      { address: "/keys?kind=signing", sign: "signs" },
      { address: "/keys?kind=api", sign: "report" },
      { address: "/keys?create=1", sign: "Create" },
      { address: "/keys", sign: "You may not look at keys", who: "Vera" },
    ],
    "/environments": [
      { address: "/environments", sign: branch.name },
      { address: `/environments?environment=${environment.id}`, sign: "Archive it by itself" },
      { address: "/environments?tab=archive", sign: "feature/old" },
      { address: "/environments?create=1", sign: "Name" },
    ],
    "/team": [
      { address: "/team", sign: "vera@example.com" },
      { address: "/team?tab=invitations", sign: "eve@example.com" },
    ],
    "/settings": [
      { address: "/settings?tab=audit&action=user.*", sign: "created the person" },
      { address: "/settings", sign: "SVC_RETENTION" },
      { address: "/settings", sign: "You may not look at the settings", who: "Vera" },
    ],
    "/account": [{ address: "/account", sign: "Current password" }],
    "/login": [{ address: "/login", sign: "E-mail address", who: null }],
    "/setup": [{ address: "/setup#none", sign: "This service is set up", who: null }],
    "/invitation": [
      { address: "/invitation#none", sign: "Join svc", who: null },
      { address: "/invitation", sign: "The link is missing its end", who: null },
    ],
    "/password-reset": [{ address: "/password-reset#none", sign: "Set a new password", who: null }],
  };
}

for (const route of ROUTES) {
  officeTest(`${route} has no barriers and fits, light and wide, dark and narrow`, async ({ open }) => {
    assert.ok(views[route] !== undefined, "a new page: what it shows belongs among the views here");
    for (const { address, sign, who = "Ada" } of views[route]) {
      const page = await open(who, address);
      await page.getByText(sign).first().waitFor();
      await page
        .getByRole("status", { name: /^Loading/ })
        .first()
        .waitFor({ state: "detached" });
      await assertNoBarriers(page, address, FEW_LOOKS);
      await page.close();
    }
  });
}
