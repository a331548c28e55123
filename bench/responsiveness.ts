/** How a page feels: what the browser itself measures of its delays, and when something first shows. */
import type { Page } from "playwright-core";

/** What a page has kept of its delays since it was last asked. */
interface Noted {
  /** Longest time from an input to the paint that follows it, ms; the browser rounds to 8. */
  input: number;
  /** Longest time in which the page could do nothing else, ms; shorter ones than 50 are not told. */
  task: number;
}

/** Have pages of this tab note their delays from their very beginning. */
export async function noteDelays(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted = { input: 0, task: 0 };
    const watch = (type: string, note: (duration: number) => void, options: object) =>
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) note(duration);
      }).observe({ type, ...options });
    watch("event", (ms) => (noted.input = Math.max(noted.input, ms)), { durationThreshold: 16 });
    watch("longtask", (ms) => (noted.task = Math.max(noted.task, ms)), {});
    Object.assign(window, { svcNoted: noted });
  });
}

/**
 * The longest delay of what is done to a page: of an input until it shows, or of a task that held up the page.
 * @param act does something and waits until it shows
 */
export async function delayOf(page: Page, act: () => Promise<void>): Promise<number> {
  await settled(page);
  await page.evaluate(() => {
    const { svcNoted } = window as unknown as { svcNoted: Noted };
    svcNoted.input = 0;
    svcNoted.task = 0;
  });
  await act();
  await settled(page);
  const { input, task } = await page.evaluate(() => (window as unknown as { svcNoted: Noted }).svcNoted);
  return Math.max(input, task);
}

/** When the first element of a kind shows after the page is asked for, ms. */
export async function firstShown(page: Page, url: string, selector: string): Promise<number> {
  await page.goto(url, { waitUntil: "commit" });
  const handle = await page.waitForFunction(
    (wanted) => (document.querySelector(wanted) === null ? false : Math.max(1, performance.now())),
    selector,
    { polling: "raf" },
  );
  return (await handle.jsonValue()) as number;
}

/** Until the page has drawn twice and has had time for what it does when nothing else is to do. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() => requestIdleCallback(() => resolve(), { timeout: 2_000 })),
        ),
      ),
  );
}
