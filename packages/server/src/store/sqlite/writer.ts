/**
 * The writer thread: the only place that writes. It runs the commands of a batch in one transaction, commits once, and
 * answers only then. A command that fails harms no other.
 */
import { workerData } from "node:worker_threads";
import { commands } from "../commands/index.ts";
import type { Sql } from "../sql.ts";
import { connect } from "./connection.ts";
import { boundLog } from "./log-size.ts";
import type { CommandCall, CommandReply, WriterData, WriterReport, WriterRequest } from "./messages.ts";

const { path, durable, port } = workerData as WriterData;
const connection = connect({ path, durable, readOnly: false });
const { db } = connection;
const committed = boundLog(db, path);
const begin = db.prepare("BEGIN IMMEDIATE");
const commit = db.prepare("COMMIT");
const savepoint = db.prepare("SAVEPOINT command");
const release = db.prepare("RELEASE command");

/** Free pages given back to the disk at a time: about 2 ms. */
const PAGES_PER_SHRINK = 500;

port.on("message", (message: CommandCall[] | WriterRequest) => {
  if (message === "shrink") {
    // Stepping through the pragma is what frees the pages: one row each.
    const done = unlessFull(() => db.prepare(`PRAGMA incremental_vacuum(${PAGES_PER_SHRINK})`).all());
    port.postMessage(done ? "shrunk" : "not shrunk");
  } else if (message === "close") {
    unlessFull(() => db.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
    db.close();
    // The thread is ended by whoever hears this: one that ended by itself could be noticed before its last reports.
    port.postMessage("closed");
  } else {
    port.postMessage(commitAll(message));
  }
});

/** Housekeeping needs space, too; on a full disk it is left for another time. @returns whether it was done */
function unlessFull(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (isStorageFault(error)) return false;
    throw error;
  }
}

function commitAll(calls: CommandCall[]): WriterReport {
  const startedAt = performance.now();
  let replies: CommandReply[];
  try {
    replies = transaction(calls, runCommand);
  } catch {
    // Commands hardly ever fail, so a savepoint around each (a tenth of the writer's time) is for the second try only.
    rollBack();
    try {
      replies = transaction(calls, runGuarded);
    } catch (error) {
      rollBack();
      const message = (error as Error).message;
      replies = calls.map(([id]) => [id, "unavailable", message]);
    }
  }
  committed();
  return { replies, seconds: (performance.now() - startedAt) / 1000 };
}

function transaction(calls: CommandCall[], run: (call: CommandCall) => CommandReply): CommandReply[] {
  begin.run();
  const replies = calls.map(run);
  commit.run();
  return replies;
}

function runCommand([id, name, args]: CommandCall): CommandReply {
  const command = commands[name] as (args: unknown) => Sql<unknown>;
  return [id, "done", connection.drive(command(args))];
}

/** Run a command so that its failure harms no other. */
function runGuarded(call: CommandCall): CommandReply {
  savepoint.run();
  try {
    const reply = runCommand(call);
    release.run();
    return reply;
  } catch (error) {
    // A full disk ends the whole transaction by itself; then nobody's work is kept.
    if (!db.isTransaction || isStorageFault(error)) throw error;
    db.exec("ROLLBACK TO command");
    release.run();
    return [call[0], "failed", (error as Error).message];
  }
}

function rollBack(): void {
  try {
    if (db.isTransaction) db.exec("ROLLBACK");
  } catch {
    // The connection tells again, with the next transaction, what is wrong.
  }
}

/** SQLITE_NOMEM 7, READONLY 8, IOERR 10, CORRUPT 11, FULL 13, CANTOPEN 14: not the command's fault. */
function isStorageFault(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && [7, 8, 10, 11, 13, 14].includes(code & 0xff);
}
