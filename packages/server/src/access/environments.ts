/** The environments in memory, found by id or by name. */
import type { EnvironmentRecord, EnvironmentType } from "../store/access-records.ts";

/** The environment of `svc dev`; it has no other. */
export const DEV_ENVIRONMENT = "dev";
/** The environment that is always there in production; keys from flags and variables belong to it. */
export const PRODUCTION_ENVIRONMENT = "production";
/** The parent that holds what all branch environments share: their keys and webhooks. */
export const BRANCH_PARENT = "branches";

/** What a service of each mode has from its first start; ids and names are the same. */
export const FIXED_ENVIRONMENTS: Record<
  "dev" | "start",
  { id: string; name: string; type: EnvironmentType }[]
> = {
  dev: [{ id: DEV_ENVIRONMENT, name: DEV_ENVIRONMENT, type: "development" }],
  start: [
    { id: PRODUCTION_ENVIRONMENT, name: PRODUCTION_ENVIRONMENT, type: "production" },
    { id: BRANCH_PARENT, name: BRANCH_PARENT, type: "branches" },
  ],
};

/** Names no new environment may have: they mean something already, in one mode or the other. */
const RESERVED_NAMES = new Set([DEV_ENVIRONMENT, PRODUCTION_ENVIRONMENT, BRANCH_PARENT, "all"]);

/** What a branch of a version control system may be called, as far as it fits into a header and a query string. */
const NAME_FORM = /^\w[\w./@#+:~-]{0,127}$/;

/**
 * Why a name cannot be given to a new environment; null when it can.
 * @example environmentNameProblem("feature/checkout") // null
 */
export function environmentNameProblem(name: string): string | null {
  if (!NAME_FORM.test(name)) {
    return "expected 1 to 128 letters, digits or characters of ._/@#+:~- beginning with a letter, digit or _";
  }
  return RESERVED_NAMES.has(name) ? `the name ${name} is reserved` : null;
}

/** An environment, and whether it was used since that was last written down. */
export interface Environment extends EnvironmentRecord {
  used: boolean;
}

/** @returns the environment that holds the keys and webhooks of this one */
export function keyHolder(environment: Pick<EnvironmentRecord, "id" | "type">): string {
  return environment.type === "branch" ? BRANCH_PARENT : environment.id;
}

export interface Environments {
  byId(id: string): Environment | undefined;
  byName(name: string): Environment | undefined;
  /** The name of an environment; its id when it is unknown. */
  nameOf(id: string): string;
  all(): Environment[];
  /** Take over what the store holds. */
  load(records: readonly EnvironmentRecord[]): void;
}

export function createEnvironments(): Environments {
  let ids = new Map<string, Environment>();
  let names = new Map<string, Environment>();
  return {
    byId: (id) => ids.get(id),
    byName: (name) => names.get(name),
    nameOf: (id) => ids.get(id)?.name ?? id,
    all: () => [...ids.values()],
    load(records) {
      const before = ids;
      const environments = records.map((each) => ({ ...each, used: before.get(each.id)?.used ?? false }));
      ids = new Map(environments.map((each) => [each.id, each]));
      names = new Map(environments.map((each) => [each.name, each]));
    },
  };
}
