import type { UserRecord } from "../access-records.ts";
import { firstRow, run, type Sql } from "../sql.ts";
import { insertSession, type NewSession } from "./create-session.ts";
import { type Author, recordChange } from "./record-change.ts";

export type NewUser = Pick<UserRecord, "id" | "email" | "name" | "password_hash">;

export interface SetUpOwnerArgs {
  author: Author;
  user: NewUser;
  session: NewSession;
}

/** Make the first owner. @returns false when there is one already, or somebody has the e-mail address */
export function* setUpOwner({ author, user, session }: SetUpOwnerArgs): Sql<boolean> {
  const taken = yield* firstRow("SELECT id FROM users WHERE role = 'owner' OR email = $1 LIMIT 1", [
    user.email,
  ]);
  if (taken !== undefined) return false;
  yield* insertUser(user, "owner", author.now);
  yield* insertSession(session);
  yield* recordChange(author, {
    action: "user.created",
    target: { kind: "user", id: user.id, name: user.email },
    env: null,
    before: null,
    after: { email: user.email, name: user.name, role: "owner", by: "set-up" },
  });
  return true;
}

/** Add a user, in the transaction of a command. */
export function* insertUser(user: NewUser, role: UserRecord["role"], now: number): Sql<void> {
  yield* run(
    `INSERT INTO users (id, email, name, role, password_hash, created_at, last_seen_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [user.id, user.email, user.name, role, user.password_hash, now],
  );
}
