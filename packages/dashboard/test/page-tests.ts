/** Tests of pages in a real browser: one browser and what the pages are of for each file, and nothing to complain of. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isBuilt } from "../source-hash.mjs";
import {
  type Browser,
  barriersIn,
  executablePath,
  type OpenOptions,
  startBrowser,
  type TestPage,
} from "./browser.ts";

export type Look = OpenOptions;

/** Open an empty page, which is closed when the test is over. */
export type NewPage = (look?: Look) => Promise<TestPage>;

/** Have something closed when the test is over, after its pages: these would go on asking it. */
export type AtEnd = (close: () => unknown) => void;

export interface PageTests<Open> {
  /** Start what the pages are of, once, beside the browser. @returns what is closed in the end, in this order */
  start(): Promise<{ close(): unknown }[]>;
  /** How a test opens a page. */
  opening(newPage: NewPage): Open;
  /** What pages may complain of in all tests of the file. */
  expected?: RegExp;
  timeoutMs?: number;
}

export type PageTest<Open> = (
  name: string,
  run: (open: Open, atEnd: AtEnd) => Promise<void>,
  options?: {
    /** What pages may complain of in this test. */
    expected?: RegExp;
  },
) => void;

/**
 * Prepare the tests of a file. On a machine without a browser they are skipped.
 * @returns what declares a test; its pages may have complained of nothing but what is expected
 * @example
 * let shop: Shop;
 * const shopTest = pageTests({
 *   start: async () => [(shop = await startShop())],
 *   opening: pathsOf(() => shop.service.url),
 * });
 */
export function pageTests<Open>({
  start,
  opening,
  expected,
  timeoutMs = 60_000,
}: PageTests<Open>): PageTest<Open> {
  const skip = executablePath === undefined ? "there is no Chromium on this machine" : false;
  const started: { close(): unknown }[] = [];
  let browser: Browser;
  before(async () => {
    if (skip) return;
    assert.ok(isBuilt(), "The dashboard is not built: run `npm run build`.");
    const both = await Promise.allSettled([startBrowser(), start()]);
    for (const each of both) {
      if (each.status === "fulfilled") started.push(...[each.value].flat());
    }
    const failed = both.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
    browser = started[0] as Browser;
  });
  after(async () => {
    for (const each of started) await each.close();
  });
  return (name, run, options = {}) =>
    test(name, { skip, timeout: timeoutMs }, async (t) => {
      const pages: TestPage[] = [];
      const closers: (() => unknown)[] = [];
      const newPage: NewPage = async (look) => {
        const page = await browser.open("about:blank", look);
        pages.push(page);
        return page;
      };
      try {
        await run(opening(newPage), (close) => closers.push(close));
        const complaints = pages.flatMap((page) => page.complaints);
        const allowed = [expected, options.expected];
        assert.deepEqual(
          complaints.filter((text) => !allowed.some((pattern) => pattern?.test(text))),
          [],
        );
      } catch (error) {
        for (const page of pages) t.diagnostic(`${page.url()} ${page.complaints.join("\n")}`);
        throw error;
      } finally {
        for (const page of pages) await page.close();
        for (const close of closers.reverse()) await close();
      }
    });
}

/** Opens pages by their paths on a service; or by whole addresses, on another one. */
export type OpenPath = (address: string, look?: Look) => Promise<TestPage>;

/** The way to open pages when all of them are of one service, and nobody has to log in. */
export function pathsOf(serviceUrl: () => string): (newPage: NewPage) => OpenPath {
  return (newPage) => async (address, look) => {
    const page = await newPage(look);
    await page.goto(new URL(address, serviceUrl()).href);
    return page;
  };
}

/** Both themes on a wide and on a narrow screen. */
export const LOOKS = (["light", "dark"] as const).flatMap((scheme) =>
  [
    [1440, 900],
    [360, 740],
  ].map(([width, height]) => ({ scheme, width: width!, height: height! })),
);

/** Each theme once, each width once: an axe run takes a second or so on a busy machine. */
export const FEW_LOOKS = [LOOKS[0]!, LOOKS[3]!];

export const lookText = ({ scheme, width }: (typeof LOOKS)[number]) => `${scheme}, ${width} px wide`;

/** Assert that axe finds nothing serious in a page as it is now, and that nothing sticks out at its side. */
export async function assertClean(page: TestPage, where: string): Promise<void> {
  assert.deepEqual(await barriersIn(page), [], where);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(wide <= 0, `${where} is ${wide} px too wide`);
}

/** The same in other looks, in all four if not said; the page is light and wide again afterwards. */
export async function assertNoBarriers(page: TestPage, where: string, looks = LOOKS): Promise<void> {
  for (const look of looks) {
    await wear(page, look);
    await assertClean(page, `${where}, ${lookText(look)},`);
  }
  await wear(page, LOOKS[0]!);
}

async function wear(page: TestPage, { scheme, width, height }: (typeof LOOKS)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
  await page.setViewportSize({ width, height });
  // What measures itself is laid out anew in the frame after.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
