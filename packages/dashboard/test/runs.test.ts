/** The pages of runs in a real browser, against a real service with a real app. */
import assert from "node:assert/strict";
import type { TestPage } from "./browser.ts";
import { assertClean, LOOKS, lookText } from "./page-tests.ts";
import { works, worksTest } from "./workshop-pages.ts";

const row = (page: TestPage, runId: string) => page.locator(`[role=row][data-key="${runId}"]`);
const step = (page: TestPage, name: string) =>
  page
    .getByRole("region", { name: "Timeline" })
    .getByRole("link")
    .filter({ has: page.getByText(name, { exact: true }) });

worksTest("a service without runs says how to get the first one", async (open) => {
  const page = await open("/runs?range=15m");
  await page.getByText("Nothing has run in this time").waitFor();
  assert.ok(await page.getByText(`curl ${works.service.url}/e/dev`).isVisible());
  await page.getByRole("button", { name: "Live tail: on" }).waitFor();
});

worksTest("runs come in live, and their status follows them to their end", async (open) => {
  const page = await open("/runs");
  await page.getByRole("button", { name: "Live tail: on" }).waitFor();
  const held = await works.run("work/held");
  await row(page, held).getByText("Running").waitFor();
  await row(page, held).getByText("work/held").waitFor();
  works.release();
  await row(page, held).getByText("Completed").waitFor();
  const broken = await works.run("work/broken");
  await row(page, broken).getByText("Failed").waitFor();
  await page.getByRole("img", { name: /^runs: .*1 failed/ }).waitFor();
});

worksTest("what comes while the pointer is on the list waits behind a count", async (open) => {
  const first = await works.run("work/quick");
  const page = await open("/runs?function=works-quick");
  await row(page, first).getByText("Completed").waitFor();
  await row(page, first).hover();
  const second = await works.run("work/quick");
  await page.getByRole("button", { name: "1 new" }).waitFor();
  assert.equal(await row(page, second).count(), 0);
  await page.getByRole("button", { name: "1 new" }).click();
  await row(page, second).waitFor();
});

worksTest("filters stand in the address, and a run that no longer fits leaves the list", async (open) => {
  const quick = await works.run("work/quick");
  const held = await works.run("work/held");
  await works.reaches(held, "running");
  const page = await open("/runs");
  await page.getByRole("button", { name: "Filter by status" }).click();
  await page.getByRole("option").filter({ hasText: "Running" }).click();
  await page.keyboard.press("Escape");
  await page.waitForURL(/status=running/);
  await row(page, held).waitFor();
  await row(page, quick).waitFor({ state: "detached" });
  works.release();
  await page.getByText("No run fits these filters").waitFor();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await row(page, held).getByText("Completed").waitFor();

  const linked = await open("/runs?function=works-held&app=works");
  await row(linked, held).waitFor();
  assert.equal(await row(linked, quick).count(), 0);
  await linked.getByRole("button", { name: "Function works-held" }).waitFor();
});

worksTest("dragging over the chart selects the range", async (open) => {
  const id = await works.run("work/quick");
  const page = await open("/runs?range=15m");
  const chart = page.getByRole("img", { name: /^runs: / });
  await chart.waitFor();
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.5, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + 30, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/after=\d+&before=\d+/);
  await row(page, id).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Live tail/ }).count(), 0, "the range has ended");
});

worksTest("a run shows its steps and attempts, and each step its output and errors", async (open) => {
  const id = await works.run("work/flaky");
  await works.reaches(id, "completed");
  const page = await open(`/runs/${id}`);
  const panel = page.getByRole("region", { name: "Run of Flaky import" });
  await panel.getByText("Timeline · 1 step").waitFor();
  await panel.getByRole("link", { name: "work/flaky" }).waitFor();
  await step(page, "fetch the feed").getByText("×3").waitFor();
  assert.equal(await step(page, "fetch the feed").locator("i[title^='Failed after']").count(), 2);
  assert.equal(await step(page, "fetch the feed").locator("i[title^='Pause before']").count(), 2);
  await step(page, "fetch the feed").click();
  await page.waitForURL(/step=[0-9a-f]{40}/);
  await panel.getByText("the feed answered 503 (try 2)").waitFor();
  await panel
    .getByText(/workshop\.ts:\d+/)
    .first()
    .waitFor();
  await panel.getByRole("region", { name: "Output of the step" }).getByText("17").waitFor();

  const linked = await open(new URL(page.url()).pathname + new URL(page.url()).search);
  await linked.getByText("Attempts (3)").waitFor();
});

worksTest("a run that failed shows its error with the stack, and what started it", async (open) => {
  const id = await works.run("work/broken", { city: "Bern" });
  await works.reaches(id, "failed");
  const page = await open(`/runs/${id}`);
  const panel = page.getByRole("region", { name: "Run of Broken report" });
  await panel.getByText("NonRetriableError").waitFor();
  await panel.getByText("the template has no heading").waitFor();
  await panel.getByText('"Bern"').waitFor();
  await panel.getByRole("button", { name: "Send to Dev Server" }).waitFor();
  await panel.getByRole("link", { name: "work/broken" }).click();
  await page.getByRole("region", { name: "Event work/broken" }).waitFor();
});

worksTest(
  "parallel steps and sleeps stand on the axis, which is zoomed by keys and by dragging",
  async (open) => {
    const id = await works.run("work/order", { n: 1 });
    await works.reaches(id, "completed");
    const page = await open(`/runs/${id}?view=full`);
    for (const name of ["load the order", "reserve stock", "charge the card", "let it settle"]) {
      await step(page, name).waitFor();
    }
    await step(page, "let it settle").locator("i[title^='Slept']").waitFor();
    const bar = step(page, "Run").locator("i[title^='Completed in']");
    const width = async () => (await bar.boundingBox())!.width;
    const all = await width();
    const axis = page.getByRole("region", { name: "Timeline" }).locator(".cursor-crosshair");
    const box = (await axis.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.6, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 8, { steps: 3 });
    await page.mouse.up();
    // Of what is in sight now, only the sleep and the run itself have a part.
    await step(page, "load the order").locator("i[title^='Completed']").waitFor({ state: "detached" });
    await page.keyboard.press("0");
    await step(page, "load the order").locator("i[title^='Completed']").waitFor();
    assert.equal(await width(), all);
    const showAll = page.getByRole("button", { name: "Show all" });
    assert.equal(await showAll.isDisabled(), true);
    await page.keyboard.press("+");
    assert.equal(await showAll.isDisabled(), false);
    await page.keyboard.press("-");
    assert.equal(await showAll.isDisabled(), true);
  },
);

worksTest("a thousand steps are a few rows in the page, found and scrolled at once", async (open) => {
  const id = await works.run("work/long", { steps: 1_000 });
  await works.reaches(id, "completed");
  const page = await open(`/runs/${id}`);
  await step(page, "item 0").waitFor();
  const list = page.getByRole("group", { name: "Steps" });
  const rows = list.locator("li");
  assert.ok((await rows.count()) < 60);
  const started = Date.now();
  for (let i = 1; i <= 20; i++) {
    await list.evaluate((element, share) => element.scrollTo(0, element.scrollHeight * share), i / 20);
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
  }
  await step(page, "item 999").waitFor();
  assert.ok(Date.now() - started < 5_000, "scrolling froze the page");
  assert.ok((await rows.count()) < 60);
  await step(page, "item 999").click();
  await page.getByRole("region", { name: "Output of the step" }).getByText("999").waitFor();

  const linked = await open(new URL(page.url()).pathname + new URL(page.url()).search);
  await step(linked, "item 999").waitFor();
});

worksTest("a run that goes on is followed, cancelled after a question, and run again", async (open) => {
  const id = await works.run("work/held");
  const page = await open(`/runs/${id}`);
  const panel = page.getByRole("region", { name: "Run of Held job" });
  await panel.getByText("Running", { exact: true }).first().waitFor();
  await panel.getByRole("button", { name: "Cancel run" }).click();
  await page.getByRole("dialog").getByText("Cancel this run?").waitFor();
  await page.getByRole("button", { name: "Cancel the run" }).click();
  await panel.getByText("Cancelled", { exact: true }).first().waitFor();
  await panel.getByText("The run was cancelled through the API.").waitFor();
  assert.equal(await panel.getByRole("button", { name: "Cancel run" }).count(), 0);
  await panel.getByRole("button", { name: "Rerun" }).click();
  await page.waitForURL((url) => url.pathname.startsWith("/runs/") && !url.pathname.endsWith(id));
  await panel.getByText("Running", { exact: true }).first().waitFor();
  works.release();
  await panel.getByText("Completed", { exact: true }).first().waitFor();
  await panel.getByText('"through"').waitFor();
});

worksTest(
  "a run that failed is run again without the steps that completed, or from one of them on",
  async (open) => {
    const id = await works.run("work/invoice");
    await works.reaches(id, "failed");
    works.mend();
    const page = await open(`/runs/${id}`);
    const panel = page.getByRole("region", { name: "Run of Send an invoice" });
    await panel.getByRole("button", { name: "Rerun the rest" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/runs/") && !url.pathname.endsWith(id));
    await panel.getByText("Completed", { exact: true }).first().waitFor();
    await panel.getByText('"number"').waitFor();
    assert.equal(await panel.getByRole("link", { name: /^draft the invoice.*kept$/ }).count(), 1);
    assert.equal(await panel.getByRole("button", { name: "Rerun the rest" }).count(), 0);
    await step(page, "draft the invoice").click();
    await panel.getByText("Taken over from").waitFor();
    const second = new URL(page.url()).pathname;
    await panel.getByRole("button", { name: "Rerun from this step" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/runs/") && url.pathname !== second);
    await panel.getByText("Completed", { exact: true }).first().waitFor();
    assert.equal(await panel.getByRole("link", { name: /kept$/ }).count(), 0);
    await panel.getByText("Repeats").waitFor();
  },
);

worksTest("the keyboard alone opens, moves among runs and steps, enlarges and closes", async (open) => {
  const first = await works.run("work/order", { n: 2 });
  await works.reaches(first, "completed");
  const second = await works.run("work/quick", { n: 2 });
  await works.reaches(second, "completed");
  const page = await open("/events");
  await page.getByRole("heading", { name: "Events" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await page.waitForURL(/\/runs/);
  await row(page, second).waitFor();
  await page.keyboard.press("j");
  await page.waitForFunction(() => document.activeElement?.hasAttribute("data-row-link"));
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Run of Quick work" }).waitFor();
  await page.keyboard.press("j");
  await page.waitForURL(new RegExp(`/runs/${first}`));
  await step(page, "load the order").waitFor();
  await step(page, "Run").focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.activeElement?.textContent?.includes("load the order"));
  await page.keyboard.press("Enter");
  await page.waitForURL(/step=/);
  await page.keyboard.press("f");
  await page.waitForURL(/view=full/);
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => url.pathname === "/runs" && !url.search.includes("view"));
});

worksTest("a run shows what it has logged, by level and by step", async (open) => {
  const id = await works.run("work/told");
  await works.reaches(id, "completed");
  const page = await open(`/runs/${id}`);
  const panel = page.getByRole("region", { name: "Run of Told job" });
  await panel.getByText("Logs (4)").waitFor();
  const lines = panel.getByRole("region", { name: "Log lines" }).getByRole("listitem");
  assert.deepEqual(
    await lines.evaluateAll((items) => items.map((item) => item.textContent!.replace(/^\S+( (ms|s))?/, ""))),
    ["Debugbegins {}", "Infospeakfirst line\n  second line", "Warnspeakcareful"].concat(
      (await lines.last().textContent())!.replace(/^\S+( (ms|s))?/, ""),
    ),
  );
  await lines.last().getByText("Error: it ends here").waitFor();
  assert.match((await lines.first().locator("time").textContent())!, /^\d+ ms$|^0$|^[\d.]+ s$/);
  await panel.getByLabel("Lines shown").selectOption("Warn and above");
  await page.waitForURL(/level=warn/);
  assert.equal(await lines.count(), 2);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await panel.getByRole("button", { name: "Copy the lines shown" }).click();
  await panel.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^\S+Z warn {2}\[speak\] careful\n\S+Z error Error: it ends here\n {4}at /);
  await lines.first().getByRole("link", { name: "speak" }).click();
  await page.waitForURL(/step=/);
  await panel.getByText("Logs (2)").waitFor();
  assert.equal(await lines.count(), 1);
  await lines.getByText("careful").waitFor();
});

worksTest("log lines of a run that goes on come in, and a reader at their end stays there", async (open) => {
  const id = await works.run("work/told", { hold: true, lines: 120 });
  await works.reaches(id, "running");
  const page = await open(`/runs/${id}`);
  const panel = page.getByRole("region", { name: "Run of Told job" });
  const list = panel.getByRole("region", { name: "Log lines" });
  await panel.getByText("Logs (3)").waitFor();
  works.release();
  await panel.getByText("Logs (124)").waitFor();
  await list.getByText("Error: it ends here").waitFor();
  await page.waitForFunction(() => {
    const element = document.querySelector("[aria-label='Log lines']")!;
    return element.scrollTop > 0 && element.scrollTop + element.clientHeight >= element.scrollHeight - 1;
  });
});

worksTest("thousands of log lines are a few in the page, each as high as its text", async (open) => {
  const id = await works.run("work/told", { lines: 3_000 });
  await works.reaches(id, "completed");
  const page = await open(`/runs/${id}?view=full`);
  const panel = page.getByRole("region", { name: "Run of Told job" });
  await panel.getByText("Logs (3004)").waitFor();
  const list = panel.getByRole("region", { name: "Log lines" });
  assert.ok((await list.locator("li").count()) < 100);
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  for (let tries = 0; tries < 20; tries++) {
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  }
  await list.getByText("Error: it ends here").waitFor();
  const boxes = await list
    .locator("li")
    .evaluateAll((items) =>
      items.map((item) => item.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]),
    );
  boxes.sort((a, b) => a[0]! - b[0]!);
  for (const [place, [top]] of boxes.entries()) {
    if (place > 0) assert.ok(Math.abs(top! - boxes[place - 1]![1]!) < 1, "lines overlap or gape");
  }
});

worksTest("a run without log lines says how to write some", async (open) => {
  const id = await works.run("work/quick");
  await works.reaches(id, "completed");
  const page = await open(`/runs/${id}`);
  await page.getByText(/What a handler writes with its logger/).waitFor();
});

worksTest(
  "an unknown run says so",
  async (open) => {
    const page = await open("/runs/none");
    await page.getByText("There is no such run").waitFor();
    await page.getByText(/belong to another environment/).waitFor();
    assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0);
  },
  { expected: /404/ },
);

for (const look of LOOKS) {
  worksTest(`runs have no barriers and fit, ${lookText(look)}`, async (open) => {
    const flaky = await works.run("work/flaky");
    const broken = await works.run("work/broken");
    const held = await works.run("work/held");
    const told = await works.run("work/told");
    await works.reaches(told, "completed");
    await works.reaches(flaky, "completed");
    await works.reaches(broken, "failed");
    await works.reaches(held, "running");
    const { data } = await works.service.api<{ data: { steps: { id: string }[] } }>(`/v1/runs/${flaky}`);
    const page = await open("/runs", look);
    for (const [path, text] of [
      ["/runs?status=failed,running", "Broken report"],
      ["/runs?function=works-none", "No run fits these filters"],
      [`/runs/${flaky}?step=${data.steps[0]!.id}`, "Attempts (3)"],
      [`/runs/${broken}`, "NonRetriableError"],
      [`/runs/${told}`, "it ends here"],
      [`/runs/${held}?view=full`, "Not there yet."],
    ] as const) {
      await page.goto(works.service.url + path);
      await page.getByText(text).first().waitFor();
      await assertClean(page, path);
    }
    works.release();
  });
}
