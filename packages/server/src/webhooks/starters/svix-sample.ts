import { standardSignature } from "./sign-sample.ts";
import type { StarterSample } from "./starter.ts";

/** A sample of a producer that delivers through Svix: Clerk, Resend and others. */
export function svixSample(options: {
  name: string;
  messageId: string;
  /** Seconds since the epoch. */
  sentAt: number;
  secret: string;
  payload: object;
}): StarterSample {
  const body = JSON.stringify(options.payload);
  return {
    name: options.name,
    headers: {
      Accept: "*/*",
      "Content-Type": "application/json",
      "User-Agent": "Svix-Webhooks/1.62.0 (sender-sample; +https://www.svix.com/http-sender/)",
      "svix-id": options.messageId,
      "svix-signature": standardSignature(body, options.secret, options.messageId, options.sentAt),
      "svix-timestamp": String(options.sentAt),
    },
    query: "",
    body,
  };
}
