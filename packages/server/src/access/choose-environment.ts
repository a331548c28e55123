/** Which environment a request is about: what its credentials are for, and what it names. */
import { ServiceError } from "../errors.ts";
import type { RouteRule } from "../http/route.ts";
import type { Actor } from "./actor.ts";
import { type Environment, type Environments, PRODUCTION_ENVIRONMENT } from "./environments.ts";
import type { Key } from "./keys/key-ring.ts";

/**
 * The environment a key leads to: its own, or the branch that is named.
 * @param evenArchived whether it may be an archived one
 */
export function environmentOfKey(
  environments: Environments,
  key: Key,
  named: string | undefined,
  evenArchived = false,
): Environment {
  const own = environments.byId(key.env!);
  // Its environment cannot be gone: environments are archived, never removed.
  if (own === undefined) throw new ServiceError("environment_not_found");
  if (own.type === "branches") {
    if (named === undefined || named === "") throw new ServiceError("environment_required");
    return livingBranch(environments, named, evenArchived);
  }
  if (named !== undefined && named !== "" && named !== own.name) throw otherEnvironment(own);
  if (own.archived_at !== null && !evenArchived) throw archived(own);
  return own;
}

export function livingBranch(environments: Environments, name: string, evenArchived = false): Environment {
  const branch = environments.byName(name);
  if (branch === undefined || branch.type !== "branch") {
    throw new ServiceError("environment_not_found", "There is no branch environment of that name.");
  }
  if (branch.archived_at !== null && !evenArchived) throw archived(branch);
  return branch;
}

/** The environment an API request is about: the named one, else the token's own, else production. */
export function chosenEnvironment(
  environments: Environments,
  actor: Actor,
  rule: RouteRule & { access: "api" },
  named: string | undefined,
): Environment {
  const own = environments.byId(actor.env ?? PRODUCTION_ENVIRONMENT)!;
  if (named === undefined || named === "" || named === own.name) return usable(own, rule);
  const environment = environments.byName(named);
  if (actor.env !== null && (own.type !== "branches" || environment?.type !== "branch")) {
    throw otherEnvironment(own);
  }
  if (environment === undefined) throw new ServiceError("environment_not_found");
  return usable(environment, rule);
}

/** What is archived can be looked at, and nothing else. */
function usable(environment: Environment, rule: RouteRule & { access: "api" }): Environment {
  if (environment.archived_at !== null && rule.permission !== "read" && !rule.account)
    throw archived(environment);
  return environment;
}

function otherEnvironment(own: Environment): ServiceError {
  return new ServiceError(
    "forbidden",
    own.type === "branches"
      ? "This key belongs to the branch environments, and the environment named is none of them."
      : `This key belongs to the environment ${own.name}, not to the one named.`,
  );
}

function archived({ name }: Environment): ServiceError {
  return new ServiceError("environment_not_found", `The environment ${name} is archived.`);
}
