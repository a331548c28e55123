/**
 * How commands and queries speak SQL. A command is a generator that yields statements and is given rows: it
 * is written once and driven synchronously by SQLite in its writer thread, asynchronously by a network
 * engine. Parameters are numbered `$1`, `$2`, … as PostgreSQL has them.
 */
export type SqlValue = string | number | null;
export type Row = Record<string, SqlValue>;

export interface Statement {
  sql: string;
  params: readonly SqlValue[];
}

/** A piece of database work that ends in a `T`. */
export type Sql<T> = Generator<Statement, T, Row[]>;

/** Run a statement and take its rows. */
export function* rows<T = Row>(sql: string, params: readonly SqlValue[]): Sql<T[]> {
  return (yield { sql, params }) as T[];
}

/** Run a statement and take its first row. */
export function* firstRow<T = Row>(sql: string, params: readonly SqlValue[]): Sql<T | undefined> {
  return ((yield { sql, params }) as T[])[0];
}

/** Run a statement for its effect. */
export function* run(sql: string, params: readonly SqlValue[]): Sql<void> {
  yield { sql, params };
}

/** What differs between engines and cannot be said in one SQL. */
export interface Dialect {
  name: "sqlite" | "postgresql";
  /** Appended to CREATE TABLE of tables that are only ever reached by their primary key. */
  clusteredTable: string;
}
