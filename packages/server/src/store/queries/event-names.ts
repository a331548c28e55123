import type { Sql } from "../sql.ts";
import { namesWith } from "./names-for.ts";

/** Names of stored events that begin with a prefix, in order. */
export function* eventNames(args: { env: string; prefix: string; limit: number }): Sql<string[]> {
  return yield* namesWith(args.env, args.prefix, args.limit);
}
