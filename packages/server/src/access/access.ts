/** Who may call what: from credentials to an environment and an actor. Decided in memory; the store holds the truth. */
import type { IncomingHttpHeaders } from "node:http";
import { HEADER, readHeader } from "@svc/protocol";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { ServiceError } from "../errors.ts";
import type { RouteRule } from "../http/route.ts";
import type { Author } from "../store/commands/record-change.ts";
import { createRefresh } from "../store/refresh.ts";
import type { Store } from "../store/store.ts";
import { type Actor, ANYBODY, appActor, type Permission, ROLE_PERMISSIONS } from "./actor.ts";
import { authorize } from "./authorize.ts";
import { chosenEnvironment, environmentOfKey, livingBranch } from "./choose-environment.ts";
import { developmentAccess } from "./development.ts";
import {
  BRANCH_PARENT,
  createEnvironments,
  type Environment,
  type Environments,
  environmentNameProblem,
  FIXED_ENVIRONMENTS,
  keyHolder,
  PRODUCTION_ENVIRONMENT,
} from "./environments.ts";
import { createKeyRing, type Key, type KeyRing } from "./keys/key-ring.ts";
import type { Sealer } from "./keys/secrets.ts";
import { createPeople, type People, type StoredLogin } from "./people/people.ts";
import { readSessionCookie } from "./people/session-cookie.ts";

export interface AccessParts {
  config: Pick<Config, "mode" | "eventKeys" | "signingKeys" | "apiTokens">;
  store: Pick<Store, "execute" | "query">;
  sealer: Sealer;
  clock: Clock;
  nextId(now: number): string;
}

/** Who sends events with a key, and into which environment. */
export interface Sender {
  environment: Environment;
  key: Key;
}

/** Who calls a route, and about which environment. */
export interface Caller {
  environment: Environment;
  actor: Actor;
}

export interface Access {
  environments: Environments;
  keys: KeyRing;
  people: People;
  /**
   * What an event key leads to. About a microsecond: it stands on the hot path.
   * @param named the environment named by `x-svc-env`, if any
   * @throws ServiceError `unauthorized` when the key is unknown, `environment_required`, `environment_not_found`, or
   *   `forbidden` when another environment than its own is named
   */
  sender(key: string, named?: string): Sender;
  /** The key that signs calls to the apps of an environment; null when calls are not signed. */
  signingKey(env: string): string | null;
  /** Every signing key of an environment that is accepted, the one that signs first. */
  signingKeys(env: string): string[];
  /**
   * Who calls, and about which environment.
   * @param named the environment named by the query parameter `env`, if any
   * @param secure whether the request came by TLS: decides which cookie counts
   * @throws ServiceError `unauthorized`, `forbidden`, `environment_required`, `environment_not_found`
   */
  authenticate(
    rule: RouteRule,
    headers: IncomingHttpHeaders,
    named?: string,
    secure?: boolean,
  ): Promise<Caller>;
  /** Whether an actor who was let in may still do this: for what goes on after its request was answered. No reads. */
  holds(actor: Actor, permission: Permission): boolean;
  /** Counts changes: who asks again only when it has moved misses nothing but keys that expired. */
  version(): number;
  /** How an actor stands in the audit log. */
  author(actor: Actor, address: string | null): Author;
  /** Read everything anew after the store was changed; holds from the moment it resolves. @see createRefresh */
  reload(): Promise<void>;
  /**
   * Take over a login that was just stored, in place of `reload`, which with a thousand people takes as long as checking
   * the password.
   */
  loggedIn(login: StoredLogin): void;
}

/** Open the access rules with what the configuration and the store hold. */
export async function createAccess(parts: AccessParts): Promise<Access> {
  const { config, store, clock, nextId } = parts;
  const { now } = clock;
  const environments = createEnvironments();
  const keys = await createKeyRing(config, parts.sealer, now);
  const people = createPeople(now);
  await store.execute("ensureEnvironments", { now: now(), environments: FIXED_ENVIRONMENTS[config.mode] });

  let version = 0;
  const { reload, apply } = createRefresh({
    clock,
    read: () => store.query("loadAccess", { now: now() }),
    take(stored) {
      version++;
      environments.load(stored.environments);
      people.load(stored.users, stored.sessions);
      keys.load(stored.keys);
    },
  });
  await reload();

  const author = (actor: Actor, address: string | null): Author => ({
    auditId: nextId(now()),
    now: now(),
    kind: actor.kind,
    id: actor.id,
    name: actor.name,
    address,
  });
  const signingKeys = (env: string): string[] => {
    const environment = environments.byId(env);
    const held = environment === undefined ? [] : keys.signingKeys(keyHolder(environment));
    // In development an app's key is whatever it was started with: the configuration's, for every environment.
    return config.mode === "dev" ? config.signingKeys : held.map(({ secret }) => secret);
  };
  const common = {
    environments,
    keys,
    people,
    signingKeys,
    signingKey: (env: string) => signingKeys(env)[0] ?? null,
    holds({ kind, id, sessionId }: Actor, permission: Permission): boolean {
      if (kind === "user") {
        const user = people.livingSession(sessionId ?? "")?.user;
        return user !== undefined && ROLE_PERMISSIONS[user.role].has(permission);
      }
      // Those without an id are of the configuration, or in development.
      return kind !== "token" || id === null || keys.tokenById(id)?.permissions.has(permission) === true;
    },
    version: () => version,
    author,
    reload,
    loggedIn: (login: StoredLogin) =>
      apply(() => {
        version++;
        people.add(login);
      }),
  };
  if (config.mode === "dev") return { ...common, ...developmentAccess(environments) };

  /** A branch comes into being with the first sync of its app; one that was archived comes back. */
  const openBranch = async (name: string, actor: Actor): Promise<Environment> => {
    const known = environments.byName(name);
    if (known !== undefined && (known.type !== "branch" || known.archived_at === null)) {
      return livingBranch(environments, name);
    }
    if (known === undefined) {
      const problem = environmentNameProblem(name);
      if (problem !== null)
        throw new ServiceError("invalid_request", `x-svc-env: ${problem}.`, { field: "x-svc-env" });
      const created = await store.execute("createEnvironment", {
        author: author(actor, null),
        id: nextId(now()),
        name,
        type: "branch",
      });
      if (created === "too_many") throw tooManyEnvironments();
    } else {
      const back = { author: author(actor, null), id: known.id, archived: false };
      if ((await store.execute("archiveEnvironment", back)) === "too_many") throw tooManyEnvironments();
    }
    await reload();
    return livingBranch(environments, name);
  };

  return {
    ...common,
    sender(text, named) {
      const key = keys.eventKey(text);
      if (key === undefined) throw new ServiceError("unauthorized");
      const environment = environmentOfKey(environments, key, named);
      key.used = true;
      environment.used = true;
      return { environment, key };
    },
    async authenticate(rule, headers, named, secure = false) {
      if (rule.access === "open")
        return { environment: environments.byId(PRODUCTION_ENVIRONMENT)!, actor: ANYBODY };
      const token = bearerToken(headers.authorization);
      const cookie = rule.access === "api" ? readSessionCookie(headers.cookie, secure) : undefined;
      // Whoever shows a token means it, also in a browser that has a session.
      if (rule.access === "api" && token === undefined && cookie !== undefined) {
        const actor = userActor(people, cookie);
        authorize(actor, rule);
        const inHeader = readHeader(headers, HEADER.env) || undefined;
        return { environment: chosenEnvironment(environments, actor, rule, named ?? inHeader), actor };
      }
      if (token === undefined) throw new ServiceError("unauthorized", MISSING[rule.access]);
      const inHeader = readHeader(headers, HEADER.env) || undefined;
      if (rule.access === "signing-key") {
        const key = keys.signingKeyByHash(token);
        if (key === undefined) throw new ServiceError("unauthorized", UNKNOWN["signing-key"]);
        key.used = true;
        const actor = appActor(key.name, key.env!);
        const environment =
          key.env === BRANCH_PARENT && rule.opensBranch && inHeader !== undefined
            ? await openBranch(inHeader, actor)
            : environmentOfKey(environments, key, inHeader, rule.ofRuns);
        environment.used = true;
        return { environment, actor };
      }
      const key = keys.apiToken(token);
      if (key === undefined) throw new ServiceError("unauthorized", UNKNOWN.api);
      key.used = true;
      const { id, name, permissions, env } = key;
      const actor: Actor = { kind: "token", id, name, role: null, permissions, env, sessionId: null };
      authorize(actor, rule);
      return { environment: chosenEnvironment(environments, actor, rule, named ?? inHeader), actor };
    },
  };
}

/** @throws ServiceError `unauthorized` when the session is unknown or has ended */
function userActor(people: People, token: string): Actor {
  const found = people.useSession(token);
  if (found === undefined) throw new ServiceError("unauthorized", "The session has ended: log in again.");
  const { user, session } = found;
  return {
    kind: "user",
    id: user.id,
    name: user.name,
    role: user.role,
    permissions: ROLE_PERMISSIONS[user.role],
    env: null,
    sessionId: session.id,
  };
}

/** What a new environment is answered with when there are 2,000 already. */
export function tooManyEnvironments(): ServiceError {
  return new ServiceError("conflict", "There are too many environments: archive some.");
}

const MISSING = {
  api: "An API token is needed: send it as `authorization: Bearer <token>`. People log in.",
  "signing-key": "The hash of the signing key is needed: send it as `authorization: Bearer <hash>`.",
};

const UNKNOWN = {
  api: "The API token is unknown or has been revoked.",
  "signing-key": "The signing key is unknown or has been revoked.",
};

/** The token of an `authorization: Bearer …` header. */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer +(\S+) *$/i.exec(header)?.[1];
}
