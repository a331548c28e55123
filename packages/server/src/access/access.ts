/** Who may call what: from credentials to an environment. */
import type { IncomingHttpHeaders } from "node:http";
import { HEADER, readHeader } from "@svc/protocol";
import type { Config } from "../config.ts";
import { ServiceError } from "../errors.ts";
import type { RouteAccess } from "../http/route.ts";
import { createKeyRing, type Key, type KeyRing } from "./keys.ts";

/** The environment of `svc dev`; it has no other. */
export const DEV_ENVIRONMENT = "dev";
/** The environment that keys from flags and variables belong to. */
export const PRODUCTION_ENVIRONMENT = "production";

export interface Access {
  /**
   * The event key with that text. About a microsecond: it stands on the hot path.
   * @param named the environment named by `x-svc-env`, if any
   * @throws ServiceError `unauthorized` when the key is unknown, `forbidden` when another environment than its own is named
   */
  eventKeyEnv(key: string, named?: string): Key;
  /** The key that signs calls to the apps of an environment; null when calls are not signed. */
  signingKey(env: string): string | null;
  /**
   * The environment the credentials of a request lead to.
   * @param named the environment named by the query parameter `env`, if any
   * @throws ServiceError `unauthorized` when the credentials do not suffice, `forbidden` when another environment than theirs
   *   is named
   */
  authenticate(access: RouteAccess, headers: IncomingHttpHeaders, named?: string): string;
}

/** Access as the configuration grants it: everybody in development, holders of keys otherwise. */
export async function createAccess(
  config: Pick<Config, "mode" | "eventKeys" | "signingKeys" | "apiTokens">,
): Promise<Access> {
  const signingKey = config.signingKeys[0] ?? null;
  if (config.mode === "dev") return developmentAccess(signingKey);
  return keyAccess(await createKeyRing(config, PRODUCTION_ENVIRONMENT), signingKey);
}

/**
 * No credentials are asked for, and those given are not looked at: an app's keys are usually the ones it has in production.
 * `x-svc-env` is ignored too, because SDKs set it from the branch they were built from.
 */
function developmentAccess(signingKey: string | null): Access {
  const anyKey: Key = { env: DEV_ENVIRONMENT, name: "dev" };
  return {
    eventKeyEnv: () => anyKey,
    signingKey: () => signingKey,
    authenticate(_access, _headers, named) {
      if (named !== undefined && named !== DEV_ENVIRONMENT) throw new ServiceError("environment_not_found");
      return DEV_ENVIRONMENT;
    },
  };
}

function keyAccess(keys: KeyRing, signingKey: string | null): Access {
  const confirm = (env: string, named: string | undefined) => {
    if (named !== undefined && named !== env) {
      throw new ServiceError(
        "forbidden",
        `This key belongs to the environment ${env}, not to the one named.`,
      );
    }
  };
  return {
    eventKeyEnv(text, named) {
      const key = keys.eventKey(text);
      if (key === undefined) throw new ServiceError("unauthorized");
      confirm(key.env, named);
      return key;
    },
    signingKey: (env) => (env === PRODUCTION_ENVIRONMENT ? signingKey : null),
    authenticate(access, headers, named) {
      if (access === "open") return PRODUCTION_ENVIRONMENT;
      const token = bearerToken(headers.authorization);
      if (token === undefined) throw new ServiceError("unauthorized", missing[access]);
      const key = access === "api" ? keys.apiToken(token) : keys.signingKeyHash(token);
      if (key === undefined) throw new ServiceError("unauthorized", unknown[access]);
      confirm(key.env, named);
      confirm(key.env, readHeader(headers, HEADER.env));
      return key.env;
    },
  };
}

const missing = {
  api: "An API token is needed: send it as `authorization: Bearer <token>`.",
  "signing-key": "The hash of the signing key is needed: send it as `authorization: Bearer <hash>`.",
};

const unknown = {
  api: "The API token is unknown or has been revoked.",
  "signing-key": "The signing key is unknown or has been revoked.",
};

/** The token of an `authorization: Bearer …` header. */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer +(\S+) *$/i.exec(header)?.[1];
}
