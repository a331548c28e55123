/** The executor around a scripted app, for one test: both close when it ends. */
import { afterEach } from "node:test";
import { type HarnessOptions, runHarness } from "./run-harness.ts";
import { type ReceivedCall, type ScriptedAnswer, scriptedApp } from "./scripted-app.ts";

/**
 * To be called within a `describe`.
 * @returns what sets up the scene of a test, and what has something else closed at its end, the last one first
 * @example const { app, runs } = await setUp(() => done("output"));
 */
export function scriptedRuns() {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return {
    atEnd: (...closes: (() => Promise<unknown>)[]) => void closing.push(...closes),
    async setUp(
      answer: (call: ReceivedCall) => ScriptedAnswer | Promise<ScriptedAnswer>,
      options: Partial<HarnessOptions> = {},
    ) {
      const app = await scriptedApp(answer, options.fn?.dialect);
      const runs = await runHarness({ appUrl: app.url, ...options });
      closing.push(app.close, () => runs.close());
      return { app, runs };
    },
  };
}
