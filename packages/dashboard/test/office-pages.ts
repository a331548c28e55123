/** Tests of the pages that manage a production service: one with people in it, and one browser, for each file. */
import type { TestPage } from "./browser.ts";
import { type Office, startOffice } from "./office.ts";
import { type AtEnd, type Look, pageTests } from "./page-tests.ts";

/** What the browser itself says of an answer that is an error: here these are asked for. 502: an app that does not sync. */
const REFUSAL = /^Failed to load resource: the server responded with a status of (4\d\d|502)/;

export interface Visit {
  office: Office;
  /** Open a page as somebody; as nobody with null. */
  open(who: string | null, path: string, look?: Look): Promise<TestPage>;
  atEnd: AtEnd;
}

/**
 * Start a service and a browser for the tests of a file.
 * @returns what declares a test; its pages may have complained of nothing but refusals, and what it expects
 */
export function officeTests(
  flags: string[] = [],
  prepare: (office: Office) => Promise<void> = async () => {},
) {
  let office: Office;
  const declare = pageTests<Visit["open"]>({
    start: async () => {
      office = await startOffice(flags);
      await prepare(office);
      return [office];
    },
    opening: (newPage) => async (who, path, look) => {
      const page = await newPage(look);
      await page.context().clearCookies();
      if (who !== null) await office.become(page, who);
      page.complaints.length = 0;
      await page.goto(new URL(path, office.url).href);
      return page;
    },
    expected: REFUSAL,
    timeoutMs: 120_000,
  });
  return (name: string, run: (visit: Visit) => Promise<void>, options?: { expected?: RegExp }) =>
    declare(name, (open, atEnd) => run({ office, open, atEnd }), options);
}
