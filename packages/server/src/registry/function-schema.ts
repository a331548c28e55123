/** The schema of one function in a sync. It checks; what is stored is the function as it was sent. */
import { parseDuration, parseMoment } from "@svc/protocol";
import { Cron } from "croner";
import * as z from "zod";
import type { ServiceError } from "../errors.ts";
import { compileExpression, compileKey } from "./expression.ts";
import { wildcardPrefix } from "./trigger-index.ts";

/** Bounds of a sync. */
export const SYNC_LIMITS = {
  functions: 1_000,
  idLength: 256,
  urlLength: 2_048,
  triggers: 10,
  concurrency: 2,
  cancellations: 10,
  /** Of all triggers together: what the cache of compiled ones holds, so that the index need not compile them anew. */
  expressions: 2_000,
  retries: 20,
  batchSize: 100,
  batchTimeoutMs: [1_000, 60_000],
  cronLength: 256,
  /** JSON text of one function. */
  configLength: 128 * 1024,
  configDepth: 50,
} as const;

/** An http(s) address. */
export const httpUrl = z
  .string()
  .max(SYNC_LIMITS.urlLength)
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), "must be an http or https address");

const duration = z
  .union([z.string(), z.number()])
  .refine((value) => parseDuration(value) !== undefined, "must be a duration such as `30s` or `2h45m`");

const moment = z
  .union([z.string(), z.number()])
  .refine(
    (value) => parseMoment(value, 0) !== undefined,
    "must be a duration such as `30s`, or an ISO 8601 date",
  );

const condition = expression(compileExpression);
const key = expression(compileKey);
const limit = z.int().min(1).max(1_000_000_000);

/** A trigger may end in a wildcard; anywhere else `*` would look like one and never match. */
const eventName = z
  .string()
  .min(1)
  .refine((name) => Buffer.byteLength(name) <= SYNC_LIMITS.idLength, "must not be longer than 256 bytes")
  .refine(
    (name) => !(wildcardPrefix(name) ?? name).includes("*"),
    "may have a wildcard only at its end, as in `shop/*` or `shop.*`",
  );

const cron = z
  .string()
  .max(SYNC_LIMITS.cronLength)
  .superRefine((text, context) => {
    const why = cronFault(text);
    if (why !== undefined) context.addIssue({ code: "custom", message: `is not a valid schedule: ${why}` });
  });

const trigger = z
  .object({ event: eventName.nullish(), expression: condition.nullish(), cron: cron.nullish() })
  .refine((it) => (it.event == null) !== (it.cron == null), "must have either an `event` or a `cron`");

const concurrency = z.preprocess(
  (value) => (value == null || Array.isArray(value) ? value : [value]),
  z
    .array(
      z.union([
        z.int().min(0).max(1_000_000_000),
        z.object({
          limit: z.int().min(0).max(1_000_000_000),
          key: key.nullish(),
          scope: z.enum(["fn", "env", "account"]).nullish(),
        }),
      ]),
    )
    .max(SYNC_LIMITS.concurrency)
    .nullish(),
);

const batchTimeout = duration.refine((value) => {
  const [shortest, longest] = SYNC_LIMITS.batchTimeoutMs;
  const ms = parseDuration(value) ?? 0;
  return ms >= shortest && ms <= longest;
}, "must be from 1 s to 60 s");

const step = z.object({
  runtime: z.object({ type: z.literal("http").nullish(), url: httpUrl }),
  retries: z.object({ attempts: z.int().min(0).max(SYNC_LIMITS.retries).nullish() }).nullish(),
});

/** An id: control characters and halves of surrogate pairs are cut or replaced on the way to a store and back. */
export const idText = z
  .string()
  .min(1)
  .max(SYNC_LIMITS.idLength)
  .refine((id) => !/\p{Cc}|\p{Cs}/u.test(id), "must not contain control characters or lone surrogates");

/** A function as PROTOCOL.md describes it; null counts as absent. */
export const functionSchema = z.object({
  id: idText,
  name: z.string().max(SYNC_LIMITS.idLength).nullish(),
  triggers: z.array(trigger).min(1).max(SYNC_LIMITS.triggers),
  steps: z
    .record(z.string(), step)
    .refine((steps) => Object.keys(steps).length > 0, "must have a step that says where to call it")
    .refine((steps) => Object.keys(steps).length <= 10, "must not have more than 10 steps"),
  concurrency,
  throttle: z
    .object({ limit, period: duration, burst: z.int().min(0).nullish(), key: key.nullish() })
    .nullish(),
  rateLimit: z.object({ limit, period: duration, key: key.nullish() }).nullish(),
  debounce: z.object({ period: duration, key: key.nullish(), timeout: duration.nullish() }).nullish(),
  batchEvents: z
    .object({
      maxSize: z.int().min(1).max(SYNC_LIMITS.batchSize),
      timeout: batchTimeout.nullish(),
      key: key.nullish(),
      if: condition.nullish(),
    })
    .nullish(),
  priority: z.object({ run: key.nullish() }).nullish(),
  idempotency: key.nullish(),
  cancel: z
    .array(z.object({ event: eventName, if: condition.nullish(), timeout: moment.nullish() }))
    .max(SYNC_LIMITS.cancellations)
    .nullish(),
  timeouts: z.object({ start: duration.nullish(), finish: duration.nullish() }).nullish(),
  singleton: z.object({ mode: z.enum(["skip", "cancel"]).nullish(), key: key.nullish() }).nullish(),
});

function expression(compile: (text: string) => unknown) {
  return z.string().superRefine((text, context) => {
    // An empty expression is how some clients say that there is none.
    if (text === "") return;
    try {
      compile(text);
    } catch (error) {
      const { reason } = (error as ServiceError).detail;
      context.addIssue({ code: "custom", message: `is not a valid expression: ${reason}` });
    }
  });
}

/**
 * What is wrong with a schedule: five fields (or `@daily` and its kin), a time zone before them if need be.
 * @example cronFault("TZ=Europe/Berlin 0 9 * * 1-5") // undefined
 */
function cronFault(text: string): string | undefined {
  const [, timezone = "UTC", pattern] = /^(?:(?:CRON_)?TZ=(\S+)\s+)?(.*)$/s.exec(text.trim())!;
  // The parser takes dates too, which happen once.
  if (/^\d{4}-/.test(pattern!)) return "a date happens only once";
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    return `there is no time zone \`${timezone}\``;
  }
  try {
    const schedule = new Cron(pattern!, { mode: "5-part", timezone, paused: true });
    return schedule.nextRun() === null ? "it never comes" : undefined;
  } catch (error) {
    return (error as Error).message.replace(/^Cron\w+: /, "").replace(/\.$/, "");
  }
}
