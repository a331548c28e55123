/** The machine's Chromium, once for all tests of a file, and pages that tell of everything that goes wrong in them. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BrowserContext, chromium, type Page } from "playwright-core";

const PLACES = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The browser's executable; undefined on a machine without one, where the tests are skipped. */
export const executablePath = PLACES.find((path) => path !== undefined && existsSync(path));

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export interface OpenOptions {
  width?: number;
  height?: number;
  scheme?: "light" | "dark";
}

export interface TestPage extends Page {
  /** What the console and the page have complained of. */
  complaints: string[];
}

export interface Browser {
  open(url: string, options?: OpenOptions): Promise<TestPage>;
  close(): Promise<void>;
}

/** Start the browser with a profile of its own, which is gone when it closes. */
export async function startBrowser(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), "svc-chromium-"));
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath: executablePath!,
    headless: true,
    // `--headless` is said by playwright; the rest keeps the browser from doing anything of its own.
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
    permissions: ["clipboard-read", "clipboard-write"],
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
  });
  return {
    async open(url, { width = 1440, height = 900, scheme = "light" } = {}) {
      const page = (await context.newPage()) as TestPage;
      page.complaints = [];
      page.setDefaultTimeout(10_000);
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") page.complaints.push(message.text());
      });
      page.on("pageerror", (error) => page.complaints.push(String(error)));
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height });
      await page.goto(url);
      return page;
    },
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Serious and critical barriers that axe finds in a page as it is now. */
export async function barriersIn(page: Page): Promise<string[]> {
  // Evaluated, not added as an element: the page's policy lets no foreign script in, and shall not.
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{
          violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
        }>;
      };
    };
    return (await axe.run()).violations;
  });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`,
    );
}
