/** The pages of functions in a real browser, against a real service with a real app. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { API_TOKEN } from "../../../test/service.ts";
import { isBuilt } from "../source-hash.mjs";
import { type Browser, barriersIn, executablePath, startBrowser, type TestPage } from "./browser.ts";
import { startWorkshop, type Workshop } from "./workshop.ts";

const skip = executablePath === undefined ? "there is no Chromium on this machine" : false;

let works: Workshop;
let browser: Browser;

before(async () => {
  if (skip) return;
  assert.ok(isBuilt(), "The dashboard is not built: run `npm run build -w packages/dashboard`.");
  [works, browser] = await Promise.all([startWorkshop(), startBrowser()]);
});
after(async () => {
  await browser?.close();
  await works?.close();
});

type Look = Parameters<Browser["open"]>[1];

/** Open pages of the dashboard; afterwards nothing may have been complained of. */
function functionsTest(
  name: string,
  run: (open: (path: string, look?: Look) => Promise<TestPage>) => Promise<void>,
) {
  test(name, { skip, timeout: 60_000 }, async () => {
    const pages: TestPage[] = [];
    try {
      await run(async (path, look) => {
        const page = await browser.open(works.service.url + path, look);
        pages.push(page);
        return page;
      });
      for (const page of pages) assert.deepEqual(page.complaints, []);
    } finally {
      for (const page of pages) await page.close();
    }
  });
}

const row = (page: TestPage, id: string) => page.locator(`[role=row][data-key="${id}"]`);

functionsTest(
  "the list shows what each function did in the last day, and what of it failed",
  async (open) => {
    for (let i = 0; i < 3; i++) await works.run("work/quick");
    await works.reaches(await works.run("work/broken"), "failed");
    const page = await open("/functions");
    await row(page, "works-quick").getByText("work/quick").waitFor();
    await row(page, "works-quick")
      .getByRole("img", { name: /^Quick work: 3 runs in the last 24 hours, 0 failed/ })
      .waitFor();
    await row(page, "works-broken").getByText("100 %").waitFor();
    await row(page, "works-quick").getByText("0 %").waitFor();
  },
);

functionsTest("filters stand in the address", async (open) => {
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

functionsTest("a function shows its charts, triggers, configuration and last runs", async (open) => {
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

functionsTest("a paused function is started by no event until it is resumed; runs go on", async (open) => {
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

functionsTest("a function is invoked with data that is checked while typing", async (open) => {
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

functionsTest("an unknown function leads to the runs it may have had", async (open) => {
  const page = await open("/functions/works-gone");
  await page.getByText("There is no such function").waitFor();
  await page.getByRole("link", { name: "Look for its runs" }).click();
  await page.waitForURL(/\/runs\?function=works-gone/);
  page.complaints = page.complaints.filter((text) => !text.includes("404"));
});

for (const scheme of ["light", "dark"] as const) {
  for (const [width, height] of [
    [1440, 900],
    [360, 740],
  ] as const) {
    functionsTest(`functions have no barriers and fit, ${scheme}, ${width} px wide`, async (open) => {
      await works.reaches(await works.run("work/broken"), "failed");
      const page = await open("/functions", { scheme, width, height });
      const isClean = async (what: string) => {
        assert.deepEqual(await barriersIn(page), [], what);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(overflow <= 0, `${what} is ${overflow} px too wide`);
      };
      await row(page, "works-broken").waitFor();
      await isClean("the list");
      await page.goto(`${works.service.url}/functions/works-broken?range=15m`);
      await page
        .getByRole("link", { name: /Failed the template/ })
        .first()
        .waitFor();
      await isClean("a function");
      await page.getByRole("button", { name: "Invoke" }).click();
      await page.getByRole("textbox", { name: "Data" }).waitFor();
      await isClean("the dialog");
    });
  }
}

test("who may only look sees why there is nothing to press", { skip, timeout: 60_000 }, async () => {
  const production = await startWorkshop("start");
  const { url } = production.service;
  const answer = await fetch(`${url}/v1/api-tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${API_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Reader", scopes: ["read"] }),
  });
  const { data } = (await answer.json()) as { data: { secret: string } };
  const runId = await production.run("work/held");
  await production.reaches(runId, "running");
  const page = await browser.open(`${url}/login`);
  try {
    const open = async (path: string, token: string) => {
      await page.evaluate((secret) => sessionStorage.setItem("svc-api-token", secret), token);
      await page.goto(url + path);
    };
    await open("/functions/works-held", data.secret);
    await page.getByText("This API token may look at this, not change it.").waitFor();
    assert.equal(await page.getByRole("button", { name: /^(Pause|Invoke)$/ }).count(), 0);
    await open(`/runs/${runId}`, data.secret);
    await page.getByText("This API token may look at this, not set it going.").waitFor();
    assert.equal(await page.getByRole("button", { name: /^(Rerun|Cancel run)$/ }).count(), 0);

    await open(`/runs/${runId}`, API_TOKEN);
    await page.getByRole("button", { name: "Cancel run" }).waitFor();
    await open("/functions/works-held", API_TOKEN);
    await page.getByRole("button", { name: "Pause" }).waitFor();
  } finally {
    await page.close();
    await production.close();
  }
});
