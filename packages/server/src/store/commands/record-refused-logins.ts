import type { Sql } from "../sql.ts";
import { type Author, recordChange } from "./record-change.ts";

export interface RecordRefusedLoginsArgs {
  author: Author;
  /** How many there were. */
  count: number;
  /** Accounts they were for, a few of them. */
  users: string[];
  /** Addresses they came from, a few of them. */
  addresses: string[];
}

/** Remember logins that were refused: one entry for all of a while, so that nobody can fill the disk by guessing. */
export function* recordRefusedLogins(args: RecordRefusedLoginsArgs): Sql<void> {
  const { author, count, users, addresses } = args;
  yield* recordChange(author, {
    action: "session.refused",
    target: { kind: "session", id: "refused", name: null },
    env: null,
    before: null,
    after: { count, users, addresses },
  });
}
