/** From one environment to another, and out of one that is gone, in a real browser against a real service. */
import assert from "node:assert/strict";
import { officeTests } from "./office-pages.ts";
import { assertNoBarriers, FEW_LOOKS } from "./page-tests.ts";

const officeTest = officeTests();

/** Send an event with a key. @returns the status of the answer */
async function received(url: string, key: string): Promise<number> {
  const body = '{"name":"shop/order","data":{}}';
  return (await fetch(`${url}/e/${key}`, { method: "POST", body })).status;
}

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
    assert.equal(await received(office.url, secret), 200);
    const page = await open("Ada", "/events?name=shop/order");
    await page.getByRole("link", { name: "shop/order" }).first().click();
    await page.getByRole("region", { name: "Event shop/order" }).waitFor();
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
