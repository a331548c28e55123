/** The service may be stopped or restarting while its pages are open: they go on when it answers again. */
import { serviceUrl } from "../place.ts";
import { ApiError } from "./request.ts";

/** How often it is asked whether it is back, ms. */
const ASK_MS = 2_000;
const ANSWER_MS = 5_000;
/** Nothing answered; or a proxy did, and nothing behind it. */
const AWAY = new Set([0, 502, 504]);

let waiting: Promise<void> | undefined;

/** Whether an error says that the service was not there, and nothing about what it was asked. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && AWAY.has(error.status);
}

/** Wait until the service answers; all who wait ask together. */
export function whenBack(): Promise<void> {
  waiting ??= askUntilBack().finally(() => {
    waiting = undefined;
  });
  return waiting;
}

async function askUntilBack(): Promise<void> {
  for (;;) {
    await new Promise((next) => setTimeout(next, ASK_MS));
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      if ((await fetch(serviceUrl("health"), { cache: "no-store", signal })).ok) return;
    } catch {
      // Not yet.
    }
  }
}
