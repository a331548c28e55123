/** Pictures of pages for looking at: each in light and dark, wide and narrow. */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import type { Browser } from "./browser.ts";

/** What is done on a page before its picture is taken. */
export type Act = (page: Page) => Promise<unknown>;

export interface Shot {
  name: string;
  url: string;
  act?: Act | undefined;
  /** Before the page is opened: what it is to find broken or slow. */
  before?: Act | undefined;
}

const DIR = fileURLToPath(new URL("../screenshots", import.meta.url));
const SIZES = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
];
/** Pages with a stream are never idle: after this they are looked at all the same, ms. */
const IDLE_MS = 900;
/** After this a page that still loads is looked at as it is, ms. */
const LOADING_MS = 3_000;
/** What the browser says of answers that are errors, which some pages are to show. */
const REFUSAL = /^Failed to load resource/;

/**
 * Take each picture four times, into `screenshots/<name>-<light|dark>-<width>.png`; what goes wrong is told and gone on from.
 * @param only a part of their names; all when it is not given
 */
export async function takeScreenshots(
  browser: Browser,
  shots: readonly Shot[],
  only = process.argv[2],
): Promise<void> {
  mkdirSync(DIR, { recursive: true });
  for (const { name, url, act, before } of shots) {
    for (const size of SIZES) {
      const file = (scheme: string) => `${name}-${scheme}-${size.width}`;
      const schemes = (["light", "dark"] as const).filter(
        (scheme) => only === undefined || file(scheme).includes(only),
      );
      if (schemes.length === 0) continue;
      const page = await browser.open("about:blank", size);
      try {
        await before?.(page);
        await page.goto(url);
        await page.waitForLoadState("networkidle", { timeout: IDLE_MS }).catch(() => {});
        await act?.(page);
        await page.evaluate(() => document.fonts.ready);
        // Some wait for ever, and are to be seen so.
        await page
          .waitForFunction(
            () => document.querySelector("[role=status] .animate-breathe, .h-16.animate-breathe") === null,
            null,
            {
              timeout: LOADING_MS,
            },
          )
          .catch(() => {});
      } catch (error) {
        console.log(file("*"), String(error).slice(0, 400));
      }
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.screenshot({ path: `${DIR}/${file(colorScheme)}.png` });
      }
      const complaints = page.complaints.filter((text) => !REFUSAL.test(text));
      if (complaints.length > 0) console.log(file("*"), complaints);
      await page.close();
    }
  }
}

/** Presses a button and waits for what opens. */
export const opens =
  (name: string | RegExp, role: "dialog" | "alertdialog" | "menu" = "dialog"): Act =>
  async (page) => {
    await page.getByRole("button", { name }).first().click();
    await page
      .getByRole(role === "menu" ? "menuitem" : role)
      .first()
      .waitFor();
  };

/** One after the other. */
export const all =
  (...acts: Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page);
  };
