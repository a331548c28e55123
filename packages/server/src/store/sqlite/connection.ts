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
    // auto_vacuum must be set before the first table; it lets retention give pages back in small steps. Set again
    // it would be written again, and the service could not start on a full disk.
    if (db.prepare("PRAGMA auto_vacuum").get()?.auto_vacuum !== INCREMENTAL) {
      db.exec("PRAGMA auto_vacuum = INCREMENTAL");
    }
    db.exec("PRAGMA journal_mode = WAL");
    db.exec(`PRAGMA synchronous = ${options.durable ? "FULL" : "OFF"}`);
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

/** What `PRAGMA auto_vacuum` answers when it is set to that. */
const INCREMENTAL = 2;

const NO_ROWS: Row[] = [];
