import type { UserRecord } from "../access-records.ts";
import { firstRow, run, type Sql } from "../sql.ts";
import { revokeLinksOf } from "./create-invitation.ts";
import { type Author, recordChange } from "./record-change.ts";
import { isLastOwner } from "./update-user.ts";

export interface RemoveUserArgs {
  author: Author;
  id: string;
  /** The role that whoever removes the user knew of. */
  knownRole: UserRecord["role"];
}

/** Remove a user with all sessions and links, also those made for others. @returns why not, when nothing was written */
export function* removeUser(args: RemoveUserArgs): Sql<"removed" | "gone" | "changed" | "last_owner"> {
  const { author, id, knownRole } = args;
  const user = yield* firstRow<UserRecord>("SELECT * FROM users WHERE id = $1", [id]);
  if (user === undefined) return "gone";
  if (user.role !== knownRole) return "changed";
  if (user.role === "owner" && (yield* isLastOwner())) return "last_owner";
  yield* run("DELETE FROM sessions WHERE user_id = $1", [id]);
  yield* run("DELETE FROM invitations WHERE user_id = $1", [id]);
  yield* revokeLinksOf(id, author.now);
  yield* run("DELETE FROM users WHERE id = $1", [id]);
  yield* recordChange(author, {
    action: "user.removed",
    target: { kind: "user", id, name: user.email },
    env: null,
    before: { email: user.email, name: user.name, role: user.role },
    after: null,
  });
  return "removed";
}
