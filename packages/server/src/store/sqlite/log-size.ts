/**
 * Keeps SQLite's write-ahead log small on a disk that is nearly full. The log is copied into the database file, so
 * for a while both need room: a log that has taken the last free bytes can no longer be copied, and what it takes
 * stays taken, however little of it is new.
 */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";

/** 16 MiB of log between checkpoints: at 1,000 pages (SQLite's default) they took a tenth of the writer's time. */
const USUAL_PAGES = 4_000;
const USUAL_LIMIT_BYTES = 64 * 1024 * 1024;

/** With less free space than this the log is kept short. */
const LOW_SPACE_BYTES = 64 * 1024 * 1024;
const SHORT_PAGES = 250;
const SHORT_LIMIT_BYTES = 1024 * 1024;

/** Commits between two looks at the disk; a look costs about 5 µs. */
const LOOK_EVERY = 64;

/**
 * Bound the log of a connection.
 * @param freeBytes for tests: free space of the disk
 * @returns to be called after every commit, or try of one
 */
export function boundLog(db: DatabaseSync, path: string, freeBytes = freeBytesBeside(path)): () => void {
  let commits = 0;
  let short: boolean | undefined;
  const look = () => {
    const low = freeBytes() < LOW_SPACE_BYTES;
    if (low === short) return;
    short = low;
    db.exec(`PRAGMA wal_autocheckpoint = ${low ? SHORT_PAGES : USUAL_PAGES}`);
    db.exec(`PRAGMA journal_size_limit = ${low ? SHORT_LIMIT_BYTES : USUAL_LIMIT_BYTES}`);
  };
  look();
  return () => {
    if (++commits % LOOK_EVERY === 0) look();
  };
}

function freeBytesBeside(path: string): () => number {
  const dir = dirname(path);
  return () => {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  };
}
