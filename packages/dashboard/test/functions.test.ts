/** The pages of functions in a real browser, against a real service with a real app. */
import assert from "node:assert/strict";
import { API_TOKEN } from "../../../test/service.ts";
import type { TestPage } from "./browser.ts";
import { assertClean, LOOKS, lookText } from "./page-tests.ts";
import { startWorkshop } from "./workshop.ts";
import { works, worksTest } from "./workshop-pages.ts";

const row = (page: TestPage, id: string) => page.locator(`[role=row][data-key="${id}"]`);

worksTest("the list shows what each function did in the last day, and what of it failed", async (open) => {
  for (let i = 0; i < 3; i++) await works.run("work/quick");
  await works.reaches(await works.run("work/broken"), "failed");
  const page = await open("/functions");
  await row(page, "works-quick").getByText("work/quick").waitFor();
  await row(page, "works-quick")
    .getByRole("img", { name: /^Quick work: 3 runs in the last 24 hours, 0 failed/ })
    .waitFor();
  await row(page, "works-broken").getByText("100 %").waitFor();
  await row(page, "works-quick").getByText("0 %").waitFor();
});

worksTest("filters stand in the address", async (open) => {
  await works.reaches(await works.run("work/broken"), "failed");
  const page = await open("/functions");
  await row(page, "works-quick").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("work/fl");
  await page.waitForURL(/q=work\/fl/);
  await row(page, "works-quick").waitFor({ state: "detached" });
  await row(page, "works-flaky").waitFor();
  const linked = await open("/functions?state=failing&app=works");
  await row(linked, "works-broken").waitFor();
  assert.equal(await row(linked, "works-held").count(), 0);
  await linked.goto(`${works.service.url}/functions?q=nothing`);
  await linked.getByText("No function fits these filters").waitFor();
});

worksTest("a function shows its charts, triggers, configuration and last runs", async (open) => {
  await works.reaches(await works.run("work/order", { n: 4 }), "completed");
  const page = await open("/functions/works-order?range=15m");
  await page.getByRole("region", { name: "Throughput" }).getByText("1 completed").waitFor();
  await page.getByRole("region", { name: "Failure rate" }).getByText("0 % of those that ended").waitFor();
  await page
    .getByRole("region", { name: "Duration" })
    .getByText(/ms p50/)
    .waitFor();
  await page
    .getByRole("region", { name: "Backlog" })
    .getByText(/waiting at the end/)
    .waitFor();
  await page.getByRole("link", { name: "work/order", exact: true }).waitFor();
  await page.locator("code").filter({ hasText: "event.data.n >= 0" }).first().waitFor();
  await page.getByRole("region", { name: "Configuration" }).getByText('"works-order"').waitFor();
  await page
    .getByRole("link", { name: /Completed work\/order/ })
    .first()
    .click();
  await page.getByRole("region", { name: "Run of Fulfil an order" }).waitFor();
});

worksTest("a paused function is started by no event until it is resumed; runs go on", async (open) => {
  const held = await works.run("work/held");
  await works.reaches(held, "running");
  const page = await open("/functions/works-held");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByText("Paused", { exact: true }).waitFor();
  const [ignored] = await works.send([{ name: "work/held" }]);
  assert.deepEqual(await works.service.runsOf(ignored!), []);
  works.release();
  await works.reaches(held, "completed");

  const list = await open("/functions?state=paused");
  await row(list, "works-held").getByText("Paused").waitFor();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  const [taken] = await works.send([{ name: "work/held" }]);
  assert.equal((await works.service.runsOf(taken!)).length, 1);
  assert.deepEqual(await works.service.runsOf(ignored!), [], "what came meanwhile starts nothing later");
  works.release();
});

worksTest("a function is invoked with data that is checked while typing", async (open) => {
  await works.run("work/quick", { city: "Bern" });
  const page = await open("/functions/works-quick");
  await page.getByRole("heading", { name: /Quick work/ }).waitFor();
  await page.keyboard.press("i");
  const editor = page.getByRole("textbox", { name: "Data" });
  await editor.getByText('"Bern"').waitFor();
  const invoke = page.getByRole("dialog").getByRole("button", { name: "Invoke" });
  await editor.fill("[1]");
  await page.getByText("The data must be an object").waitFor();
  assert.equal(await invoke.isDisabled(), true);
  await editor.fill('{"city":"Chur"}');
  await invoke.click();
  await page.waitForURL(/\/runs\//);
  await page.getByRole("region", { name: "Output", exact: true }).getByText('"Chur"').waitFor();
  await page.getByRole("link", { name: "svc/function.invoked" }).waitFor();
});

worksTest(
  "an unknown function leads to the runs it may have had",
  async (open) => {
    const page = await open("/functions/works-gone");
    await page.getByText("There is no such function").waitFor();
    await page.getByRole("link", { name: "Look for its runs" }).click();
    await page.waitForURL(/\/runs\?function=works-gone/);
  },
  { expected: /404/ },
);

for (const look of LOOKS) {
  worksTest(`functions have no barriers and fit, ${lookText(look)}`, async (open) => {
    await works.reaches(await works.run("work/broken"), "failed");
    const page = await open("/functions", look);
    await row(page, "works-broken").waitFor();
    await assertClean(page, "the list");
    await page.goto(`${works.service.url}/functions/works-broken?range=15m`);
    await page
      .getByRole("link", { name: /Failed the template/ })
      .first()
      .waitFor();
    await assertClean(page, "a function");
    await page.getByRole("button", { name: "Invoke" }).click();
    await page.getByRole("textbox", { name: "Data" }).waitFor();
    await assertClean(page, "the dialog");
  });
}

worksTest(
  "who may only look sees why there is nothing to press",
  async (open, atEnd) => {
    const production = await startWorkshop("start");
    atEnd(production.close);
    const { url } = production.service;
    const answer = await fetch(`${url}/v1/api-tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${API_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "Reader", scopes: ["read"] }),
    });
    const { data } = (await answer.json()) as { data: { secret: string } };
    const runId = await production.run("work/held");
    await production.reaches(runId, "running");
    const page = await open(`${url}/login`);
    const show = async (path: string, token: string) => {
      await page.evaluate((secret) => sessionStorage.setItem("svc-api-token", secret), token);
      await page.goto(url + path);
    };
    await show("/functions/works-held", data.secret);
    await page.getByText("This API token may look at this, not change it.").waitFor();
    assert.equal(await page.getByRole("button", { name: /^(Pause|Invoke)$/ }).count(), 0);
    await show(`/runs/${runId}`, data.secret);
    await page.getByText("This API token may look at this, not set it going.").waitFor();
    assert.equal(await page.getByRole("button", { name: /^(Rerun|Cancel run)$/ }).count(), 0);

    await show(`/runs/${runId}`, API_TOKEN);
    await page.getByRole("button", { name: "Cancel run" }).waitFor();
    await show("/functions/works-held", API_TOKEN);
    await page.getByRole("button", { name: "Pause" }).waitFor();
  },
  { expected: /401/ },
);
