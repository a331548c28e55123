/** From an event's data to what was signed, and from a verdict to an end of the run. */
import { NonRetriableError } from "@svc/sdk";
import type { Body, Freshness, Verdict } from "./signature.ts";

export interface SignedRequest {
  body: Body;
  signature: string | undefined;
  id: string | undefined;
  timestamp: string | undefined;
}

/**
 * The parts of the request that the transforms of the starters put into `data`.
 * @throws NonRetriableError when there is no `raw`, as in an event that was not sent through the webhook
 */
export function signedRequest(data: Record<string, unknown>): SignedRequest {
  const raw = text(data.raw);
  if (raw === undefined) throw new NonRetriableError("The event has no `raw` body that could be verified.");
  return {
    // The service hands over as base64 what is not UTF-8; the transform says so in `raw_encoding`.
    body: data.raw_encoding === "base64" ? Buffer.from(raw, "base64") : raw,
    signature: text(data.signature),
    id: text(data.webhook_id),
    timestamp: text(data.webhook_timestamp),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** @throws NonRetriableError unless the signature is valid: a wrong one stays wrong, however often it is checked */
export function requireValid(producer: string, verdict: Verdict): void {
  if (verdict !== "valid") {
    throw new NonRetriableError(
      `The request was not signed by ${producer}: its signature is ${REASONS[verdict]}.`,
    );
  }
}

const REASONS: Record<Exclude<Verdict, "valid">, string> = {
  missing: "missing",
  malformed: "not of the producer's form",
  mismatch: "not that of this body",
  expired: "too old",
};

/**
 * The fields of a verified body: JSON, a form, or a form with JSON in its field `payload` (GitHub, Slack).
 * @throws SyntaxError for JSON that is none
 */
// biome-ignore lint/suspicious/noExplicitAny: what producers send has as many forms as there are producers
export function payloadOf(raw: string): Record<string, any> {
  // By its first character: a JSON text with "&command=" somewhere inside must not count as a form.
  if (raw.startsWith("{")) return JSON.parse(raw);
  const form = Object.fromEntries(new URLSearchParams(raw));
  return form.payload === undefined ? form : JSON.parse(form.payload);
}

/**
 * Functions run later than requests arrive, by hours when the app was down. A day is as safe as five minutes where
 * the id of the event is part of what is signed (Stripe, Svix, Slack): within 24 hours the service stores an id once.
 */
export function withinADay(): Freshness {
  return { now: Date.now(), toleranceMs: 24 * 3_600_000 };
}

/**
 * A secret from the environment.
 * @throws Error when it is not set. The run is tried again, and goes through once it is
 */
export function secretFrom(variable: string): string {
  const secret = process.env[variable];
  if (!secret) throw new Error(`Set ${variable} to the producer's secret.`);
  return secret;
}
