import { migrations } from "../migrations/index.ts";
import { type Connection, sqliteDialect } from "./connection.ts";

/**
 * Bring the store to the newest version (or to `target`), one transaction a migration. Fails on a store that a
 * newer release has written.
 */
export function migrate(connection: Connection, now: number, target = migrations.length): void {
  const { db } = connection;
  db.exec(
    "CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)",
  );
  const row = db.prepare("SELECT COALESCE(MAX(version), 0) AS version FROM schema_migrations").get();
  const version = Number(row?.version);
  if (version > migrations.length) {
    throw new Error(
      `The data was written by a newer release (schema ${version}, this one knows ${migrations.length}). Use that release, or another data directory.`,
    );
  }
  for (let next = version + 1; next <= target; next++) {
    const migration = migrations[next - 1]!;
    db.exec("BEGIN IMMEDIATE");
    try {
      for (const statement of migration.up(sqliteDialect)) db.exec(statement);
      db.prepare("INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, ?)").run(
        next,
        migration.name,
        now,
      );
      db.exec("COMMIT");
    } catch (error) {
      db.exec("ROLLBACK");
      throw error;
    }
  }
}
