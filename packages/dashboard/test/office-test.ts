/** What the tests of the pages that manage a production service have in common. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isBuilt } from "../source-hash.mjs";
import { type Browser, barriersIn, executablePath, startBrowser, type TestPage } from "./browser.ts";
import { type Office, startOffice } from "./office.ts";

const skip = executablePath === undefined ? "there is no Chromium on this machine" : false;

/** What the browser itself says of an answer that is an error: here these are asked for. 502: an app that does not sync. */
const REFUSAL = /^Failed to load resource: the server responded with a status of (4\d\d|502)/;

export type Look = Parameters<Browser["open"]>[1];

export interface Visit {
  office: Office;
  browser: Browser;
  /** Open a page as somebody; as nobody with null. */
  open(who: string | null, path: string, look?: Look): Promise<TestPage>;
}

/**
 * Start a service and a browser for the tests of a file.
 * @returns what declares a test; its pages are closed and may have complained of nothing but refusals
 */
export function officeTests(
  flags: string[] = [],
  prepare: (office: Office) => Promise<void> = async () => {},
) {
  let office: Office;
  let browser: Browser;
  before(async () => {
    if (skip) return;
    assert.ok(isBuilt(), "The dashboard is not built: run `npm run build -w packages/dashboard`.");
    [office, browser] = await Promise.all([startOffice(flags), startBrowser()]);
    await prepare(office);
  });
  after(async () => {
    await browser?.close();
    await office?.close();
  });
  return (name: string, run: (visit: Visit) => Promise<void>) =>
    test(name, { skip, timeout: 120_000 }, async () => {
      const pages: TestPage[] = [];
      const open: Visit["open"] = async (who, path, look) => {
        const page = await browser.open("about:blank", look);
        pages.push(page);
        await page.context().clearCookies();
        if (who !== null) await office.become(page, who);
        page.complaints.length = 0;
        await page.goto(path.startsWith("http") ? path : office.url + path);
        return page;
      };
      try {
        await run({ office, browser, open });
        const complaints = pages.flatMap((page) => page.complaints);
        assert.deepEqual(
          complaints.filter((text) => !REFUSAL.test(text)),
          [],
        );
      } finally {
        for (const page of pages) await page.close();
      }
    });
}

/** Assert that axe finds nothing serious in a page, in light and dark, wide and narrow, and that nothing sticks out. */
export async function assertNoBarriers(page: TestPage, where: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1440, 360]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await barriersIn(page), [], `${where}, ${colorScheme}, ${width} px`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wide <= 0, `${where}: ${wide} px stick out at ${width} px`);
    }
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1440, height: 900 });
}
