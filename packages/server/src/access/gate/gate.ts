/** What a key lets in beside the right text: whose requests, which events, how many. Compiled once, when keys are loaded. */
import type { KeyRecord } from "../../store/access-records.ts";
import type { EventFilter, IpFilter } from "./allow-deny.ts";
import { compileIpList } from "./ip-list.ts";
import { compileNameList } from "./name-list.ts";
import { type RateLimit, toRateLimit } from "./rate-limit.ts";

/** What is null lets everything in. */
export interface Gate {
  admitsAddress: ((address: string) => boolean) | null;
  admitsName: ((name: string) => boolean) | null;
  rateLimit: RateLimit | null;
}

/**
 * Compile the lists and the limit of a key, or of whatever else stores them in this form.
 * @returns null when everything is let in: the hot path then has nothing to do
 */
export function compileGate(
  record: Pick<KeyRecord, "event_filter" | "ip_filter" | "rate_limit">,
): Gate | null {
  const ips = nonEmpty<IpFilter>(record.ip_filter);
  const names = nonEmpty<EventFilter>(record.event_filter);
  const limit = record.rate_limit === null ? null : toRateLimit(JSON.parse(record.rate_limit));
  if (ips === null && names === null && limit === null) return null;
  return {
    admitsAddress: ips === null ? null : compileIpList(ips),
    admitsName: names === null ? null : compileNameList(names),
    rateLimit: limit,
  };
}

function nonEmpty<T extends { allow: unknown[]; deny: unknown[] }>(json: string | null): T | null {
  if (json === null) return null;
  const lists = JSON.parse(json) as T;
  return lists.allow.length === 0 && lists.deny.length === 0 ? null : lists;
}
