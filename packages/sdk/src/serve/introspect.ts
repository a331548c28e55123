/** What an app tells about itself: a little to anyone, the rest to the service. */
import type { ClientInternals } from "../client.ts";
import type { SvcFunction } from "../function.ts";
import { VERSION } from "../version.ts";

/** An app as its endpoint knows it. */
export interface App {
  appId: string;
  framework: string;
  client: ClientInternals;
  /** Failure handlers included. */
  functions: SvcFunction[];
}

/** The body of a GET. No secrets, not even hashed. */
export function introspect(app: App, full: boolean): Record<string, unknown> {
  const { settings } = app.client;
  const open = {
    function_count: app.functions.length,
    mode: settings.mode,
    has_event_key: settings.eventKey !== undefined,
    has_signing_key: settings.signingKey !== undefined,
    has_signing_key_fallback: settings.signingKeyFallback !== undefined,
  };
  if (!full) return open;
  return {
    ...open,
    app_id: app.appId,
    base_url: settings.baseUrl ?? null,
    env: settings.env ?? null,
    framework: app.framework,
    sdk_language: "js",
    sdk_version: VERSION,
    functions: app.functions.map((fn) => ({
      id: `${app.appId}-${fn.id}`,
      name: fn.name,
      triggers: fn.triggers,
    })),
  };
}
