/** Access in `svc dev`: everybody on this machine is the developer, and there is one environment. */
import { ServiceError } from "../errors.ts";
import type { Access } from "./access.ts";
import { DEVELOPER } from "./actor.ts";
import { DEV_ENVIRONMENT, type Environments } from "./environments.ts";
import type { Key } from "./keys/key-ring.ts";

/**
 * No credentials are asked for, and those given are not looked at: an app's keys are usually the ones it has in production.
 * `x-svc-env` is ignored too, because SDKs set it from the branch they were built from.
 */
export function developmentAccess(environments: Environments): Pick<Access, "sender" | "authenticate"> {
  const anyKey: Key = {
    id: null,
    kind: "event",
    env: DEV_ENVIRONMENT,
    name: "dev",
    hint: "",
    expiresAt: null,
    used: false,
    lastUsedAt: null,
    permissions: new Set(),
    gate: null,
    record: null,
  };
  const environment = () => environments.byId(DEV_ENVIRONMENT)!;
  return {
    sender: () => ({ environment: environment(), key: anyKey }),
    async authenticate(_rule, _headers, named) {
      if (named !== undefined && named !== DEV_ENVIRONMENT) throw new ServiceError("environment_not_found");
      return { environment: environment(), actor: DEVELOPER };
    },
  };
}
