/** `webhooks.json`: what webhooks a folder describes, and as what they were last seen at a service. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { eventFilterSchema, ipFilterSchema } from "../../access/gate/allow-deny.ts";
import { rateLimitSchema } from "../../access/gate/rate-limit.ts";
import { slugOf } from "../../webhooks/starters/generic.ts";
import { CommandFailure, plain } from "./failure.ts";
import { readText, writeText } from "./folder.ts";

export const MANIFEST_FILE = "webhooks.json";

const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;

/** What of a webhook a folder can set. What an entry leaves out is left to the service. */
export const settingsSchema = z.strictObject({
  event_filter: eventFilterSchema.nullable().optional(),
  ip_filter: ipFilterSchema.nullable().optional(),
  rate_limit: rateLimitSchema.optional(),
  paused: z.boolean().optional(),
});

export const webhookName = z.string().min(1).max(100);

/** No separators and no dot in front: a name of a file in the folder itself. */
export const TRANSFORM_FILE = /^[a-z0-9][a-z0-9_-]{0,99}\.(?:js|ts)$/i;
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/;
const ID = /^[0-9A-Z]{26}$/;

const entrySchema = z.strictObject({
  name: webhookName,
  file: z
    .string()
    .regex(
      TRANSFORM_FILE,
      "must be the name of a .js or .ts file in this folder, of letters, digits, - and _",
    ),
  ...settingsSchema.shape,
});

const pulledSchema = z.strictObject({
  slug: z.string().regex(SLUG),
  version: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  name: webhookName,
  ...settingsSchema.shape,
});

const manifestSchema = z.strictObject({
  format: z.literal(1, "must be 1: this svc knows no other"),
  webhooks: z.record(z.string().regex(SLUG, "is made of a-z, 0-9 and hyphens"), entrySchema),
  pulled: z.record(z.string().regex(ID), pulledSchema).default({}),
});

export type Entry = z.infer<typeof entrySchema>;

/** A webhook as it was when folder and service were last the same. Ids are unique among all services. */
export type Pulled = z.infer<typeof pulledSchema>;

export interface Manifest {
  webhooks: Map<string, Entry>;
  /** By the id of the webhook. */
  pulled: Map<string, Pulled>;
}

/**
 * Read the manifest of a folder; null when it has none.
 * @throws CommandFailure with the place of what is wrong
 */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const path = join(folder, MANIFEST_FILE);
  const text = await readText(path, MAX_MANIFEST_BYTES);
  if (text === null) return null;
  let json: unknown;
  try {
    json = JSON.parse(text, (key, value) => {
      // The schema would leave it out without a word.
      if (key === "__proto__") throw new SyntaxError("the name __proto__ cannot be used.");
      return value;
    });
  } catch (error) {
    throw new CommandFailure(`${plain(path)} is not JSON: ${plain((error as Error).message)}`);
  }
  const result = manifestSchema.safeParse(json);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const place = issue.path.map(String).join(".");
    throw new CommandFailure(
      `${plain(path)}: ${plain(place === "" ? issue.message : `${place}: ${issue.message}`)}`,
    );
  }
  const webhooks = new Map(Object.entries(result.data.webhooks));
  const files = new Set<string>();
  for (const { file } of webhooks.values()) {
    // Some file systems take upper and lower case for the same.
    const key = file.toLowerCase();
    if (files.has(key)) throw new CommandFailure(`${plain(path)}: two webhooks have the file ${file}.`);
    files.add(key);
  }
  return { webhooks, pulled: new Map(Object.entries(result.data.pulled)) };
}

/** Write the manifest; what was pulled of webhooks that are not listed any more is forgotten. */
export async function writeManifest(folder: string, { webhooks, pulled }: Manifest): Promise<void> {
  const known = [...pulled].filter(([, { slug }]) => webhooks.has(slug)).sort(([a], [b]) => (a < b ? -1 : 1));
  const content = {
    format: 1,
    webhooks: Object.fromEntries(webhooks),
    pulled: Object.fromEntries(known),
  };
  await writeText(join(folder, MANIFEST_FILE), `${JSON.stringify(content, null, 2)}\n`);
}

/** SHA-256 of a transform, by which a change is seen. */
export function checksum(transform: string): string {
  return createHash("sha256").update(transform).digest("hex");
}

/** Names that Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * A name for the files of a webhook that no other of the folder has.
 * @example freshSlug("Café Orders", new Set(["cafe-orders"])) // "cafe-orders-2"
 */
export function freshSlug(name: string, taken: ReadonlySet<string>): string {
  const slug = slugOf(name);
  const base = DEVICE.test(slug) ? `${slug}-webhook` : slug;
  let free = base;
  for (let count = 2; taken.has(free); count++) free = `${base}-${count}`;
  return free;
}
