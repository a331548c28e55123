/** One SQLite connection: opening, statement cache, driving commands. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Dialect, Row, Sql, SqlValue } from "../sql.ts";

export const sqliteDialect: Dialect = { name: "sqlite", clusteredTable: "WITHOUT ROWID" };

export interface Connection {
  db: DatabaseSync;
  /** Drive a piece of database work to its end. */
  drive<T>(work: Sql<T>): T;
}

export interface ConnectionOptions {
  path: string;
  /** Sync every commit to the disk. Off only for stores that are not kept. */
  durable: boolean;
  readOnly: boolean;
}

/** Open a connection with the pragmas of its role. */
export function connect(options: ConnectionOptions): Connection {
  const db = new DatabaseSync(options.path, { readOnly: options.readOnly, timeout: 10_000 });
  if (!options.readOnly) {
    // auto_vacuum must be set before the first table; it lets retention give pages back in small steps.
    db.exec("PRAGMA auto_vacuum = INCREMENTAL");
    db.exec("PRAGMA journal_mode = WAL");
    db.exec(`PRAGMA synchronous = ${options.durable ? "FULL" : "OFF"}`);
    // 16 MiB of log between checkpoints: at 1,000 pages (the default) they took a tenth of the writer's time.
    db.exec("PRAGMA wal_autocheckpoint = 4000");
    db.exec("PRAGMA journal_size_limit = 67108864");
  }
  db.exec(`PRAGMA cache_size = ${options.readOnly ? -8_192 : -32_768}`);
  db.exec("PRAGMA temp_store = MEMORY");
  const statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>();

  const execute = (sql: string, params: readonly SqlValue[]): Row[] => {
    let prepared = statements.get(sql);
    if (prepared === undefined) {
      // PostgreSQL's `$1` is a named parameter to SQLite; its own numbered form is `?1`.
      const statement = db.prepare(sql.replace(/\$(\d+)/g, "?$1"));
      prepared = { statement, returnsRows: statement.columns().length > 0 };
      statements.set(sql, prepared);
    }
    if (prepared.returnsRows) return prepared.statement.all(...params) as Row[];
    prepared.statement.run(...params);
    return NO_ROWS;
  };

  return {
    db,
    drive(work) {
      let step = work.next();
      while (!step.done) step = work.next(execute(step.value.sql, step.value.params));
      return step.value;
    },
  };
}

const NO_ROWS: Row[] = [];
