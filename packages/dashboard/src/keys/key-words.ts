/** What the three kinds of key are called, and what they are for. */
import type { KeyKind } from "../api/keys.ts";
import { serviceUrl } from "../place.ts";

export interface KeyWords {
  tab: string;
  one: string;
  several: string;
  /** What it is for. */
  note: string;
  /** How to use a fresh one. */
  command(secret: string, environment: string | null): string;
  /** Flag and variable of those that come from the configuration. */
  setting: string;
}

const branchHeader = (environment: string | null) =>
  environment === "branches" ? " -H 'x-svc-env: your-branch'" : "";

export const KEY_WORDS: Record<KeyKind, KeyWords> = {
  event: {
    tab: "Event keys",
    one: "event key",
    several: "event keys",
    note: "A sender puts one into its address. It sends events into this environment, and can do nothing else.",
    command: (secret, environment) =>
      `curl ${serviceUrl(`e/${secret}`)}${branchHeader(environment)} -d '{"name":"demo/hello","data":{}}'`,
    setting: "--event-key or SVC_EVENT_KEY",
  },
  signing: {
    tab: "Signing keys",
    one: "signing key",
    several: "signing keys",
    note: "Proves to apps that a call is from this service, and to this service that a sync is from an app.",
    command: (secret) =>
      `SVC_BASE_URL=${serviceUrl("").replace(/\/$/, "")} SVC_SIGNING_KEY=${secret} npm start`,
    setting: "--signing-key or SVC_SIGNING_KEY",
  },
  api: {
    tab: "API tokens",
    one: "API token",
    several: "API tokens",
    note: "For programs that call the API: of one environment, or of the whole service.",
    command: (secret) => `curl ${serviceUrl("v1/events")} -H "authorization: Bearer ${secret}"`,
    setting: "--api-token or SVC_API_TOKEN",
  },
};

/** @example capital("event key") // "Event key" */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
