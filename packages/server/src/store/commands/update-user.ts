import type { UserRecord } from "../access-records.ts";
import { firstRow, run, type Sql } from "../sql.ts";
import { revokeLinksOf } from "./create-invitation.ts";
import { type Author, differences, recordChange } from "./record-change.ts";

export interface UpdateUserArgs {
  author: Author;
  id: string;
  /** The role that whoever makes the change knew of. */
  knownRole: UserRecord["role"];
  name: string;
  role: UserRecord["role"];
}

/** Change a user's name and role. @returns why not, when nothing was written; links of whoever gets another role end */
export function* updateUser(args: UpdateUserArgs): Sql<"updated" | "gone" | "changed" | "last_owner"> {
  const { author, id, knownRole, name, role } = args;
  const user = yield* firstRow<UserRecord>("SELECT * FROM users WHERE id = $1", [id]);
  if (user === undefined) return "gone";
  // Somebody became an owner in the meantime: whether this is allowed was decided on other grounds.
  if (user.role !== knownRole) return "changed";
  if (user.role === "owner" && role !== "owner" && (yield* isLastOwner())) return "last_owner";
  const [before, after] = differences({ name: user.name, role: user.role }, { name, role });
  if (Object.keys(after).length === 0) return "updated";
  yield* run("UPDATE users SET name = $2, role = $3 WHERE id = $1", [id, name, role]);
  if (role !== user.role) {
    yield* revokeLinksOf(id, author.now);
    // Whoever could reset the password of a member may not be one who resets an owner's.
    yield* run("DELETE FROM invitations WHERE user_id = $1", [id]);
  }
  yield* recordChange(author, {
    action: "user.updated",
    target: { kind: "user", id, name: user.email },
    env: null,
    before,
    after,
  });
  return "updated";
}

/** Whether one owner alone is left. */
export function* isLastOwner(): Sql<boolean> {
  const owners = yield* firstRow<{ count: number }>(
    "SELECT COUNT(*) AS count FROM users WHERE role = 'owner'",
    [],
  );
  return owners!.count === 1;
}
