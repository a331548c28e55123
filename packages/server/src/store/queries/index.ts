/** Every read that leaves the writer alone, by name. */
import type { Sql } from "../sql.ts";
import { dueItems } from "./due-items.ts";
import { loadRegistry } from "./load-registry.ts";
import { runState } from "./run-state.ts";

export const queries = { dueItems, loadRegistry, runState } as const;

export type QueryName = keyof typeof queries;
export type QueryArgs<K extends QueryName> = Parameters<(typeof queries)[K]>[0];
export type QueryResult<K extends QueryName> =
  ReturnType<(typeof queries)[K]> extends Sql<infer R> ? R : never;
