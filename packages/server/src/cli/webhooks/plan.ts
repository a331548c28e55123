/** What a push would do, decided before anything is done. */
import { plain } from "./failure.ts";
import { checksum, type Entry, type Manifest } from "./manifest.ts";
import { matchWebhooks, type Setting, settingsApart } from "./match.ts";
import type { Change, Served } from "./service.ts";

export type Step =
  | { kind: "create"; slug: string; entry: Entry; transform: string }
  | { kind: "update"; slug: string; served: Served; change: Change; transform: string }
  | { kind: "unchanged"; slug: string; served: Served }
  | { kind: "conflict"; slug: string; sentence: string }
  | { kind: "delete"; served: Served }
  | { kind: "unlisted"; served: Served };

export interface PlanOptions {
  /** Overwrite what was changed at the service since it was last pulled. */
  force: boolean;
  /** Delete webhooks of the service that the folder does not list. */
  remove: boolean;
}

/**
 * Plan a push.
 * @param transforms text by slug, one for each entry of the manifest
 * @throws CommandFailure when a name fits several webhooks
 */
export function planPush(
  manifest: Manifest,
  transforms: ReadonlyMap<string, string>,
  served: readonly Served[],
  { force, remove }: PlanOptions,
): Step[] {
  const { pairs, others } = matchWebhooks(manifest, served);
  const steps = [...manifest.webhooks].map(([slug, entry]): Step => {
    const transform = transforms.get(slug)!;
    const there = pairs.get(slug);
    if (there === undefined) return { kind: "create", slug, entry, transform };
    const settings = settingsApart(entry, there);
    const another = there.transform !== transform;
    if (settings.length === 0 && !another) return { kind: "unchanged", slug, served: there };
    const sentence = force ? null : conflict(manifest, entry, there, settings, another);
    if (sentence !== null) return { kind: "conflict", slug, sentence };
    const change: Change = { ...pick(entry, settings), ...(another && { transform }) };
    return { kind: "update", slug, served: there, change, transform };
  });
  for (const each of others) steps.push({ kind: remove ? "delete" : "unlisted", served: each });
  return steps;
}

/** Why a push would overwrite what nobody here has seen; null when it would not. */
function conflict(
  manifest: Manifest,
  entry: Entry,
  there: Served,
  settings: Setting[],
  another: boolean,
): string | null {
  const base = manifest.pulled.get(there.id);
  const advice = "Pull first, or overwrite it with --force.";
  if (base === undefined) {
    return `The service has a webhook of the name "${plain(entry.name)}" that was never pulled into this folder. ${advice}`;
  }
  if (another && checksum(there.transform) !== base.sha256) {
    return `The service has version ${there.version} of the transform, and version ${base.version} was pulled. ${advice}`;
  }
  const moved = settingsApart(base, there).filter((setting) => settings.includes(setting));
  if (moved.length === 0) return null;
  return `${moved.join(" and ")} ${moved.length === 1 ? "was" : "were"} changed at the service since the last pull. ${advice}`;
}

function pick(entry: Entry, settings: Setting[]): Change {
  return Object.fromEntries(settings.map((setting) => [setting, entry[setting]]));
}

/** A line of the plan, as people read it. */
export function describeStep(step: Step): string {
  switch (step.kind) {
    case "create":
      return `${step.slug}  create`;
    case "update":
      return `${step.slug}  update ${updated(step)}`;
    case "unchanged":
      return `${step.slug}  unchanged`;
    case "conflict":
      return `${step.slug}  refused: ${step.sentence}`;
    case "delete":
      return `${plain(step.served.name)}  delete: it is not in this folder, and its address ends`;
    case "unlisted":
      return `${plain(step.served.name)}  left alone: it is not in this folder (--delete would delete it)`;
  }
}

function updated({ served, change }: Step & { kind: "update" }): string {
  const { transform, ...settings } = change;
  const parts = transform === undefined ? [] : [`transform v${served.version} -> v${served.version + 1}`];
  return [...parts, ...Object.keys(settings)].join(", ");
}
