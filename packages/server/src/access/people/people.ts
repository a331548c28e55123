/** The people and their sessions in memory, so that knowing who calls costs no read of the store. */
import type { SessionRecord, UserRecord } from "../../store/access-records.ts";
import type { NewSession } from "../../store/commands/create-session.ts";
import { digest } from "../keys/secrets.ts";

/** A session ends when it was not used for this long, ms, … */
export const SESSION_IDLE_MS = 30 * 86_400_000;
/** … and in any case this long after its login, ms. */
export const SESSION_MAX_MS = 90 * 86_400_000;

/** Longest token that is looked up at all. */
const MAX_TOKEN_LENGTH = 200;

/** A login as the store has it. */
export interface StoredLogin {
  session: NewSession;
  /** Ids of the user's sessions that had to end for it. */
  ended: readonly string[];
  /** The password's hash at today's cost, if it was made anew. */
  rehashed: string | null;
}

/** A session, and whether it was used since that was last written down. */
export interface Session extends SessionRecord {
  used: boolean;
}

export interface People {
  /** In the order in which they came. */
  all(): UserRecord[];
  byId(id: string): UserRecord | undefined;
  /** @param email in any case */
  byEmail(email: string): UserRecord | undefined;
  /** Whether there is anybody who may do everything. */
  hasOwner(): boolean;
  /** Whose token this is; undefined when it is unknown or its session has ended. The session counts as used now. */
  useSession(token: string): { user: UserRecord; session: Session } | undefined;
  /** A session by its id, and whose it is; undefined when it has ended. Does not count as use. */
  livingSession(id: string): { user: UserRecord; session: Session } | undefined;
  /** The living sessions of a user, the one used last first. */
  sessionsOf(userId: string): Session[];
  /** What was used since the last time this was asked; `keepUsed` takes it back. */
  takeUsed(): { sessions: string[]; users: string[] };
  keepUsed(sessions: readonly string[]): void;
  /** Take over a login; one that is here already, or whose user is gone, changes nothing. */
  add(login: StoredLogin): void;
  /** Take over what the store holds. */
  load(users: readonly UserRecord[], sessions: readonly SessionRecord[]): void;
}

export function createPeople(now: () => number): People {
  let users = new Map<string, UserRecord>();
  let emails = new Map<string, UserRecord>();
  let tokens = new Map<string, Session>();
  let ids = new Map<string, Session>();

  const lives = (session: Session) =>
    session.expires_at > now() &&
    session.last_seen_at + SESSION_IDLE_MS > now() &&
    users.has(session.user_id);
  return {
    all: () => [...users.values()],
    byId: (id) => users.get(id),
    byEmail: (email) => emails.get(normalEmail(email)),
    hasOwner: () => users.values().some(({ role }) => role === "owner"),
    useSession(token) {
      if (token.length > MAX_TOKEN_LENGTH) return undefined;
      const session = tokens.get(digest(token));
      if (session === undefined || !lives(session)) return undefined;
      session.used = true;
      session.last_seen_at = now();
      const user = users.get(session.user_id)!;
      user.last_seen_at = session.last_seen_at;
      return { user, session };
    },
    livingSession(id) {
      const session = ids.get(id);
      if (session === undefined || !lives(session)) return undefined;
      return { user: users.get(session.user_id)!, session };
    },
    sessionsOf: (userId) =>
      [...ids.values()]
        .filter((session) => session.user_id === userId && lives(session))
        .sort((a, b) => b.last_seen_at - a.last_seen_at),
    takeUsed() {
      const used = [...ids.values()].filter((session) => session.used);
      for (const session of used) session.used = false;
      return {
        sessions: used.map(({ id }) => id),
        users: [...new Set(used.map(({ user_id }) => user_id))],
      };
    },
    keepUsed(sessions) {
      for (const id of sessions) {
        const session = ids.get(id);
        if (session !== undefined) session.used = true;
      }
    },
    add({ session, ended, rehashed }) {
      const user = users.get(session.user_id);
      if (user === undefined) return;
      for (const id of ended) {
        tokens.delete(ids.get(id)?.token_hash ?? "");
        ids.delete(id);
      }
      if (rehashed !== null) user.password_hash = rehashed;
      user.last_seen_at = later(session.created_at, user.last_seen_at);
      if (ids.has(session.id)) return;
      const added: Session = { ...session, last_seen_at: session.created_at, used: false };
      ids.set(added.id, added);
      tokens.set(added.token_hash, added);
    },
    load(records, stored) {
      const before = { users, ids };
      users = new Map(
        records.map((user) => [
          user.id,
          { ...user, last_seen_at: later(user.last_seen_at, before.users.get(user.id)?.last_seen_at) },
        ]),
      );
      emails = new Map([...users.values()].map((user) => [user.email, user]));
      ids = new Map(
        stored.map((session) => {
          const known = before.ids.get(session.id);
          const last_seen_at = Math.max(session.last_seen_at, known?.last_seen_at ?? 0);
          return [session.id, { ...session, last_seen_at, used: known?.used ?? false }];
        }),
      );
      tokens = new Map([...ids.values()].map((session) => [session.token_hash, session]));
    },
  };
}

/**
 * An e-mail address as it is kept and looked up. Two people whose addresses differ in case only are one.
 * @example normalEmail(" Ada@Example.com") // "ada@example.com"
 */
export function normalEmail(email: string): string {
  return email.trim().normalize("NFC").toLowerCase();
}

function later(a: number | null, b: number | null | undefined): number | null {
  return a === null ? (b ?? null) : Math.max(a, b ?? 0);
}
