import { standardSignature } from "./sign-sample.ts";
import type { Starter } from "./starter.ts";

const SLUG_LENGTH = 64;

/** Slugs that would make event names of the service's own: `svc/…`. */
const RESERVED = new Set(["svc", "inngest"]);

/**
 * A webhook's name as the first part of event names: lower case, ASCII letters, digits and hyphens, at most 64
 * characters; `webhook` when nothing is left.
 * @example slugOf("Café Orders (EU)") // "cafe-orders-eu"
 */
export function slugOf(name: string): string {
  const slug = name
    .slice(0, 4 * SLUG_LENGTH)
    .normalize("NFKD")
    // Letters lose their accents instead of being cut in two by them.
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, SLUG_LENGTH)
    .replace(/-$/, "");
  return slug === "" ? "webhook" : slug;
}

/**
 * The transform a webhook begins with when its producer is not known. Its events are named
 * `<slug>/request.received` and carry the request.
 * @returns JavaScript source
 * @example defaultTransform("Shop orders") // events "shop-orders/request.received"
 */
export function defaultTransform(webhookName: string): string {
  const slug = slugOf(webhookName);
  const producer = RESERVED.has(slug) ? `${slug}-webhook` : slug;
  return `// Makes an event of each request to this webhook. Return several as an array, or null to ignore the request.
function transform(evt, headers, queryParams, raw) {
  // Producers that follow Standard Webhooks (https://www.standardwebhooks.com) name each message.
  const messageId = headers["Webhook-Id"];
  return {
    // Better a name that says what happened, as <producer>/<noun>.<verb>.
    name: "${producer}/request.received",
    // Of events with the same id only the first is stored, for 24 hours.
    id: messageId ? "${producer}-" + messageId : undefined,
    data: {
      // The parsed body; {} when it is neither JSON nor a form.
      body: evt,
      query: queryParams,
      // The body as it came, and what a function needs to verify who sent it.
      raw,
      raw_encoding: headers["X-Svc-Body-Encoding"],
      signature: headers["Webhook-Signature"],
      webhook_id: messageId,
      webhook_timestamp: headers["Webhook-Timestamp"],
    },
  };
}
`;
}

const sampleSecret = `whsec_${Buffer.from("sample secret of the generic starter").toString("base64")}`;

const JSON_BODY = '{"order": {"id": "1001", "total": 49.90}}\n';
const STANDARD_BODY = '{"type":"order.shipped","timestamp":"2026-05-01T12:00:00Z","data":{"order":"1001"}}';
const SENT_AT = 1777636801;

export const generic: Starter = {
  id: "generic",
  name: "Any producer",
  summary: "Takes every request as it is: JSON, forms and text.",
  documentationUrl: "https://www.standardwebhooks.com",
  setUp: "Give the producer this webhook's URL, and change the transform to its events.",
  transform: defaultTransform("webhook"),
  sampleSecret,
  samples: [
    {
      name: "JSON",
      headers: { "Content-Type": "application/json", "User-Agent": "curl/8.14.1" },
      query: "shop=eu&tag=new&tag=gift",
      body: JSON_BODY,
    },
    {
      name: "Standard Webhooks",
      headers: {
        "Content-Type": "application/json",
        "webhook-id": "msg_2sampleGeneric00000000001",
        "webhook-signature": standardSignature(
          STANDARD_BODY,
          sampleSecret,
          "msg_2sampleGeneric00000000001",
          SENT_AT,
        ),
        "webhook-timestamp": String(SENT_AT),
      },
      query: "",
      body: STANDARD_BODY,
    },
    {
      name: "form",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "User-Agent": "curl/8.14.1" },
      query: "",
      body: "order=1001&note=Gr%C3%BC%C3%9Fe+aus+K%C3%B6ln",
    },
  ],
};
