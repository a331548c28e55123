/** New keys: the secret for whoever asked for it, and the row that is stored, which does not have it. */
import type { KeyKind, Scope } from "../../store/access-records.ts";
import type { NewKeyRecord } from "../../store/commands/create-key.ts";
import { BRANCH_PARENT, type Environment, PRODUCTION_ENVIRONMENT } from "../environments.ts";
import { signingKeyHash } from "./key-ring.ts";
import { digest, freshSecret, freshSigningKey, hintOf, type Sealer } from "./secrets.ts";

/** What is decided about a new key; the rest is made. */
export interface KeySettings {
  id: string;
  kind: KeyKind;
  name: string;
  /** Its environment; null for an API token of all of them. */
  environment: Pick<Environment, "id" | "name"> | null;
  scopes?: readonly Scope[];
  /** JSON, as it is stored. */
  event_filter?: string | null;
  ip_filter?: string | null;
  rate_limit?: string | null;
  signs_from?: number | null;
  expires_at?: number | null;
}

/** Make a key. The secret is never seen again: only its hash is stored, and a signing key encrypted. */
export async function makeKey(
  settings: KeySettings,
  sealer: Pick<Sealer, "seal">,
): Promise<{ secret: string; record: NewKeyRecord }> {
  const { id, kind, name, environment, scopes } = settings;
  const secret = kind === "signing" ? freshSigningKey(signingLabel(environment!)) : freshSecret(kind);
  const record: NewKeyRecord = {
    id,
    kind,
    env: environment?.id ?? null,
    name,
    hash: kind === "signing" ? await signingKeyHash(secret) : digest(secret),
    hint: hintOf(secret),
    sealed: kind === "signing" ? sealer.seal(secret) : null,
    scopes: scopes === undefined ? null : JSON.stringify(scopes),
    event_filter: settings.event_filter ?? null,
    ip_filter: settings.ip_filter ?? null,
    rate_limit: settings.rate_limit ?? null,
    signs_from: settings.signs_from ?? null,
    expires_at: settings.expires_at ?? null,
  };
  return { secret, record };
}

/**
 * What stands between `signkey-` and the secret. Clients take `branch` for the branches' and everything up to the first
 * character that is no letter, digit or _ for the prefix.
 * @example signingLabel({ id: "01…", name: "staging-eu" }) // "staging_eu"
 */
function signingLabel({ id, name }: Pick<Environment, "id" | "name">): string {
  if (id === PRODUCTION_ENVIRONMENT) return "prod";
  if (id === BRANCH_PARENT) return "branch";
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 40);
  return slug === "" || slug === "branch" || slug === "prod" ? `env_${slug}` : slug;
}
