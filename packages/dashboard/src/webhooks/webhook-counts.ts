/** Counts of outcomes in the words of the list. */
import type { Webhook } from "../api/webhooks.ts";

/** Outcomes that somebody should look at. */
const BAD = ["failed", "unrouted"] as const;

/** Requests of the last 24 hours, and how many of them came to nothing though they should not have. */
export function countsOf({ requests_24h: counts }: Pick<Webhook, "requests_24h">): {
  all: number;
  bad: number;
} {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { all, bad: BAD.reduce((sum, status) => sum + (counts[status] ?? 0), 0) };
}
