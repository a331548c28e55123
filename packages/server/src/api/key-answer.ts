/** The fields that event keys, signing keys and API tokens have in common, as requests give them and answers show them. */
import { parseDuration } from "@svc/protocol";
import * as z from "zod";
import type { Environments } from "../access/environments.ts";
import type { Key } from "../access/keys/key-ring.ts";
import { isoTime, toIso } from "./answers.ts";
import { idCursor, limitParameter } from "./parameters.ts";
import { isPlain } from "./person.ts";

const DAY_MS = 86_400_000;

export const keyFields = {
  id: z.string(),
  name: z.string(),
  hint: z.string().describe("Its prefix and last characters."),
  environment: z.string().nullable().describe("Name of its environment; null: all of them."),
  created_at: isoTime.nullable(),
  created_by: z.string().nullable(),
  last_used_at: isoTime.nullable().describe("To the minute."),
  expires_at: isoTime.nullable().describe("When it is over: the end of the grace time after a rotation."),
  source: z
    .enum(["configuration", "stored"])
    .describe("Keys of the configuration come from flags and variables; they cannot be changed here."),
};

/** Shown once, with the answer that created it. */
export const secretField = {
  secret: z.string().describe("The key itself. It is shown this once and cannot be read again."),
};

export const keyName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => name.isWellFormed(), "contains half a surrogate pair")
  .refine(isPlain, "must not contain control characters")
  .describe("What people call it.");

export const keyListQuery = z.object({ limit: limitParameter, cursor: idCursor });

/** A length of time such as `24h`, in ms. */
export function lengthOfTime(min: string, max: string) {
  const [least, most] = [parseDuration(min)!, parseDuration(max)!];
  return z
    .string()
    .max(40)
    .transform((text, context) => {
      const ms = parseDuration(text);
      if (ms === undefined || ms < least || ms > most) {
        context.addIssue({
          code: "custom",
          message: `expected a length of time from ${min} to ${max}, such as 24h`,
        });
        return z.NEVER;
      }
      return Math.round(ms);
    });
}

export const rotateSchema = z.strictObject({
  grace: lengthOfTime("0s", "30d")
    .optional()
    .transform((ms) => ms ?? DAY_MS)
    .describe("How long the old key stays valid, `0s` to `30d`; 24 hours if not given."),
});

/** A key and the id it is known by to the API. */
export interface ListedKey {
  id: string;
  key: Key;
}

/** The fields of `keyFields`. */
export function describeKey({ id, key }: ListedKey, environments: Pick<Environments, "nameOf">) {
  const { name, hint, env, record, lastUsedAt, expiresAt } = key;
  return {
    id,
    name,
    hint,
    environment: env === null ? null : environments.nameOf(env),
    created_at: toIso(record?.created_at ?? null),
    created_by: record?.created_by ?? null,
    last_used_at: toIso(lastUsedAt),
    expires_at: toIso(expiresAt),
    source: record === null ? ("configuration" as const) : ("stored" as const),
  };
}

/** Where a key stands in its list: those of the configuration first, the others in the order they were created. */
export function placeOfKey({ id, source }: { id: string; source: "configuration" | "stored" }): string {
  return source === "stored" ? `1 ${id}` : `0 ${id.padStart(40)}`;
}
