/** Which webhook of a service is which of a folder, and in what the two differ. */
import { CommandFailure, plain } from "./failure.ts";
import type { Entry, Manifest, Pulled } from "./manifest.ts";
import type { Served } from "./service.ts";

export interface Matches {
  /** By slug. */
  pairs: Map<string, Served>;
  /** Webhooks of the service that the folder does not list. */
  others: Served[];
}

/**
 * A webhook is known by its id where the folder has seen it before, and else by its name: so it may be renamed on
 * either side, and a folder can be pushed to a service that it did not come from.
 * @throws CommandFailure when a name fits several
 */
export function matchWebhooks(manifest: Manifest, served: readonly Served[]): Matches {
  const pairs = new Map<string, Served>();
  const rest: Served[] = [];
  for (const webhook of served) {
    const slug = manifest.pulled.get(webhook.id)?.slug;
    if (slug !== undefined && manifest.webhooks.has(slug) && !pairs.has(slug)) pairs.set(slug, webhook);
    else rest.push(webhook);
  }
  const servedByName = Map.groupBy(rest, ({ name }) => name);
  const unpaired = [...manifest.webhooks].filter(([slug]) => !pairs.has(slug));
  const entriesByName = Map.groupBy(unpaired, ([, { name }]) => name);
  for (const [name, entries] of entriesByName) {
    const candidates = servedByName.get(name);
    if (candidates === undefined) continue;
    if (entries.length > 1 || candidates.length > 1) {
      throw new CommandFailure(
        `The name "${plain(name)}" fits ${entries.length} webhooks here and ${candidates.length} of the service: give them different names.`,
      );
    }
    pairs.set(entries[0]![0], candidates[0]!);
  }
  const paired = new Set(pairs.values());
  return { pairs, others: served.filter((webhook) => !paired.has(webhook)) };
}

/** The settings of a webhook beside its transform. */
export const SETTINGS = ["name", "event_filter", "ip_filter", "rate_limit", "paused"] as const;
export type Setting = (typeof SETTINGS)[number];

type Settings = Pick<Entry, Setting>;

/**
 * The settings in which two states of a webhook differ. What one of them leaves out is no difference.
 * @example settingsApart({ name: "a", paused: true }, { name: "a", paused: false }) // ["paused"]
 */
export function settingsApart(one: Settings, other: Settings): Setting[] {
  return SETTINGS.filter((setting) => {
    const [a, b] = [one[setting], other[setting]];
    return a !== undefined && b !== undefined && canonical(a) !== canonical(b);
  });
}

/** A filter that lets everything in is none, and the order of the keys says nothing. */
function canonical(value: NonNullable<Settings[Setting]> | null): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if ("allow" in value) {
    return value.allow.length + value.deny.length === 0 ? "null" : JSON.stringify([value.allow, value.deny]);
  }
  return JSON.stringify([value.requests, value.per]);
}

/** What is kept of a webhook that folder and service now have in the same state. */
export function pulledFrom(slug: string, served: Served, sha256: string): Pulled {
  const { version, name, event_filter, ip_filter, rate_limit, paused } = served;
  return { slug, version, sha256, name, event_filter, ip_filter, rate_limit, paused };
}
