/** How the dashboard feels over a store with a day of a busy service's history, in a real browser. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { isBuilt } from "../../packages/dashboard/source-hash.mjs";
import { executablePath, startBrowser } from "../../packages/dashboard/test/browser.ts";
import { startSvc } from "../processes.ts";
import type { Row } from "../report.ts";
import { delayOf, firstShown, noteDelays } from "../responsiveness.ts";
import { storeHistory } from "../stored-history.ts";

/** Longest delay that still feels like an answer, ms. */
const TARGET_MS = 200;
/** Rounds; the middle one counts. */
const ROUNDS = 3;
const PAYLOAD_BYTES = 500_000;
const STEPS = 1_000;

const ROW = "[data-row-link]";
const LINE = "[class*='group/line']";

/** What is measured, one row each; each begins where the one before it has left the page. */
type Measure = [name: string, target: Row["target"], measure: (page: Page) => Promise<number>];

/** Events, runs, a large payload and a long run: when they show, and how long each input takes to show. */
export async function dashboardRows(events: number): Promise<Row[]> {
  if (executablePath === undefined) {
    console.error("There is no Chromium on this machine; CHROMIUM says where one is.");
    return [];
  }
  if (!isBuilt()) throw new Error("The dashboard is not built: run `npm run build`.");
  const dataDir = mkdtempSync(join(tmpdir(), "svc-bench-"));
  const runs = events / 10;
  const history = await storeHistory({ dataDir, events, runs, steps: STEPS, payloadBytes: PAYLOAD_BYTES });
  const svc = await startSvc({ dataDir, mode: "dev" });
  const browser = await startBrowser();
  try {
    const measures = [
      ...listMeasures("events", svc.url, "Filter by name"),
      ...eventsMeasures(),
      ...payloadMeasures(`${svc.url}/events/${history.payloadEventId}`),
      ...listMeasures("runs", svc.url, "Filter by function"),
      ...longRunMeasures(`${svc.url}/runs/${history.longRunId}`),
    ];
    const found = measures.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round++) {
      const page = await browser.open("about:blank");
      await noteDelays(page);
      for (const [i, [, , measure]] of measures.entries()) found[i]!.push(await measure(page));
      await page.close();
    }
    return measures.map(([name, target], i) => {
      const rounds = found[i]!.toSorted((a, b) => a - b);
      return {
        name,
        value: rounds[Math.floor(ROUNDS / 2)]!,
        target,
        detail: { rounds: rounds.map(Math.round) },
      };
    });
  } finally {
    await browser.close();
    await svc.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** What every page with a chart, filters and a table does. */
function listMeasures(what: string, url: string, filter: string): Measure[] {
  const felt = { atMost: TARGET_MS };
  return [
    [
      `${what}: first row after opening (ms)`,
      { atMost: 2_000 },
      (page) => firstShown(page, `${url}/${what}`, ROW),
    ],
    [`${what}: scrolling 3,000 rows (ms)`, felt, (page) => delayOf(page, () => scrollDown(page, 3_000))],
    [
      `${what}: opening a row (ms)`,
      felt,
      (page) =>
        delayOf(page, async () => {
          await page.locator(ROW).nth(5).click();
          await page.getByRole("region", { name: /^(Event|Run)/ }).waitFor();
        }),
    ],
    [
      `${what}: the next rows by keyboard (ms)`,
      felt,
      (page) =>
        delayOf(page, async () => {
          for (let i = 0; i < 10; i++) await page.keyboard.press("j");
        }),
    ],
    [
      `${what}: typing in a filter (ms)`,
      felt,
      (page) =>
        delayOf(page, async () => {
          await page.getByRole("button", { name: filter }).click();
          await page.keyboard.type("order/charge", { delay: 20 });
          await page.keyboard.press("Escape");
        }),
    ],
    [`${what}: dragging over the chart (ms)`, felt, (page) => delayOf(page, () => dragOverChart(page))],
  ];
}

function eventsMeasures(): Measure[] {
  return [
    [
      "events: typing in the search of all data (ms)",
      { atMost: TARGET_MS },
      (page) =>
        delayOf(page, async () => {
          await page.getByRole("searchbox", { name: "Text in name, ids or data" }).click();
          await page.keyboard.type("o_4711", { delay: 20 });
          await page.waitForURL(/q=o_4711/);
        }),
    ],
  ];
}

function payloadMeasures(url: string): Measure[] {
  const search = (page: Page) => page.getByRole("searchbox", { name: "Search in Payload" });
  return [
    ["500 KB payload: shown after opening (ms)", { atMost: 2_000 }, (page) => firstShown(page, url, LINE)],
    [
      "500 KB payload: searching, all unfolded (ms)",
      { atMost: TARGET_MS },
      (page) =>
        delayOf(page, async () => {
          await search(page).click();
          await page.keyboard.type("SKU-42", { delay: 20 });
          await page.getByText(/^1 of \d/).waitFor();
        }),
    ],
    [
      "500 KB payload: scrolling (ms)",
      { atMost: TARGET_MS },
      (page) =>
        delayOf(page, async () => {
          await page.locator(LINE).first().hover();
          for (let i = 0; i < 40; i++) await wheel(page, 2_000);
        }),
    ],
  ];
}

function longRunMeasures(url: string): Measure[] {
  const step = "text=/^page \\d{4}$/";
  return [
    [
      "run of 1,000 steps: shown after opening (ms)",
      { atMost: 2_000 },
      async (page) => {
        await page.goto(url, { waitUntil: "commit" });
        await page.locator(step).first().waitFor();
        return page.evaluate(() => performance.now());
      },
    ],
    [
      "run of 1,000 steps: scrolling (ms)",
      { atMost: TARGET_MS },
      (page) =>
        delayOf(page, async () => {
          await page.locator(step).first().hover();
          for (let i = 0; i < 30; i++) await wheel(page, 800);
        }),
    ],
    [
      "run of 1,000 steps: opening a step (ms)",
      { atMost: TARGET_MS },
      (page) => delayOf(page, () => page.locator(step).nth(8).click()),
    ],
  ];
}

async function scrollDown(page: Page, rows: number): Promise<void> {
  await page.locator(ROW).nth(3).hover();
  const at = page.getByRole("row").last();
  for (let i = 0; Number(await at.getAttribute("aria-rowindex")) < rows && i < 1_000; i++)
    await wheel(page, 2_000);
}

/** One turn of the wheel, and the frame that shows it. */
async function wheel(page: Page, pixels: number): Promise<void> {
  await page.mouse.wheel(0, pixels);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
}

async function dragOverChart(page: Page): Promise<void> {
  const { x, y, width, height } = (await page.locator("figure svg").first().boundingBox())!;
  await page.mouse.move(x + width * 0.4, y + height / 2);
  await page.mouse.down();
  for (let i = 0; i <= 20; i++) await page.mouse.move(x + width * (0.4 + i / 100), y + height / 2);
  await page.mouse.up();
  await page.waitForURL(/after=\d+/);
  await page.locator(ROW).first().waitFor();
}
