/** Opens the embedded store: one SQLite file, a writer thread, reader threads. */
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MessageChannel, Worker } from "node:worker_threads";
import { ServiceError } from "../../errors.ts";
import type { CommandName } from "../commands/index.ts";
import type { QueryName } from "../queries/index.ts";
import type { QueryLane, Store, StoreObserver } from "../store.ts";
import { connect } from "./connection.ts";
import type { CommandCall, QueryReply, WriterNews, WriterReport, WriterRequest } from "./messages.ts";
import { migrate } from "./migrate.ts";

export interface SqliteOptions {
  /** Directory of the store, made when missing; null keeps it in a temporary one that goes with the process. */
  dataDir: string | null;
  now: () => number;
  observer?: StoreObserver;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * Batches handed to the writer and not yet answered: one at work and one at hand, so that it need not wait for this
 * thread. Each is one commit.
 */
const BATCHES_UNDER_WAY = 2;

const FILE = "svc.db";

/** Commands of one commit at most, so that the first ones need not wait for all that wait. */
const COMMANDS_PER_COMMIT = 2_000;

/** Whether a directory has a store, made by an earlier start. */
export function hasStore(dataDir: string): boolean {
  return existsSync(join(dataDir, FILE));
}

/** Open the store, bring its schema up to date and start its threads. */
export async function openSqlite(options: SqliteOptions): Promise<Store> {
  const kept = options.dataDir !== null;
  const dir = options.dataDir ?? mkdtempSync(join(tmpdir(), "svc-"));
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const lock = lockDirectory(dir);
  const path = join(dir, FILE);
  // The directory may be one that others can read. SQLite gives its other files the mode of this one.
  closeSync(openSync(path, "a", 0o600));
  const setup = connect({ path, durable: kept, readOnly: false });
  try {
    migrate(setup, options.now());
  } catch (error) {
    lock.close();
    throw error;
  } finally {
    setup.db.close();
  }

  const writer = startWriter(path, kept, options.observer);
  const readers = new Map<QueryLane, ReturnType<typeof startReader>>();
  let closing: Promise<void> | undefined;

  return {
    execute: (name, args) => writer.execute(name, args) as Promise<never>,
    query(name, args, lane = "api") {
      if (closing !== undefined)
        return Promise.reject(new ServiceError("unavailable", "The store is closed."));
      let reader = readers.get(lane);
      if (reader === undefined) {
        // The next query gets a new thread when this one has died.
        reader = startReader(path, () => readers.delete(lane));
        readers.set(lane, reader);
      }
      return reader.query(name, args) as Promise<never>;
    },
    backlog: () => writer.backlog(),
    async size() {
      const { pages, free, pageSize } = pageCounts(path);
      return (pages - free) * pageSize;
    },
    async shrink() {
      // A tenth stays free: the next events need it at once.
      for (let { pages, free } = pageCounts(path); free > pages / 10; { pages, free } = pageCounts(path)) {
        const steps = await writer.shrink();
        if (!steps) return;
      }
    },
    close() {
      closing ??= (async () => {
        await Promise.all([...readers.values()].map((reader) => reader.close()));
        await writer.close();
        lock.close();
        if (!kept) rmSync(dir, { recursive: true, force: true });
      })();
      return closing;
    },
  };
}

function pageCounts(path: string): { pages: number; free: number; pageSize: number } {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const value = (pragma: string) => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
    return { pages: value("page_count"), free: value("freelist_count"), pageSize: value("page_size") };
  } finally {
    db.close();
  }
}

/** Hold the directory for this process: a lock of SQLite's own, which the system drops when the process dies. */
function lockDirectory(dir: string): DatabaseSync {
  const lock = new DatabaseSync(join(dir, "svc.lock"), { timeout: 0 });
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch {
    lock.close();
    const message = `Another svc is running on ${dir}. Stop it, or choose another --data-dir.`;
    throw Object.assign(new Error(message), { code: "DATA_DIR_IN_USE" });
  }
  return lock;
}

function startWriter(path: string, durable: boolean, observer: StoreObserver | undefined) {
  const { port1: port, port2 } = new MessageChannel();
  const thread = new Worker(new URL("./writer.ts", import.meta.url), {
    workerData: { path, durable, port: port2 },
    transferList: [port2],
    name: "svc-writer",
  });
  const calls = new Map<number, Waiting>();
  let waiting: CommandCall[] = [];
  let nextId = 0;
  let underWay = 0;
  let scheduled = false;
  let failure: Error | undefined;
  let closed: (() => void) | undefined;
  let shrunk: ((done: boolean) => void) | undefined;

  const flush = () => {
    scheduled = false;
    if (waiting.length === 0 || underWay >= BATCHES_UNDER_WAY) return;
    underWay++;
    const batch = waiting.length <= COMMANDS_PER_COMMIT ? waiting : waiting.slice(0, COMMANDS_PER_COMMIT);
    waiting = waiting.slice(batch.length);
    port.postMessage(batch);
  };
  // At once, not at the end of the turn: the writer is to work while this thread reads the next requests. Under load
  // it is the two batches under way that let the next one grow.
  const schedule = () => {
    if (scheduled || underWay >= BATCHES_UNDER_WAY) return;
    scheduled = true;
    queueMicrotask(flush);
  };
  const settle = (report: WriterReport) => {
    for (const [id, outcome, result] of report.replies) {
      const call = calls.get(id);
      calls.delete(id);
      if (outcome === "done") call?.resolve(result);
      else if (outcome === "unavailable") call?.reject(storageFailed(result as string));
      else call?.reject(new Error(result as string));
    }
    observer?.committed(report.replies.length, report.seconds);
    const refused = report.replies.find(([, outcome]) => outcome === "unavailable");
    if (refused !== undefined) observer?.refused(refused[2] as string);
  };
  port.on("message", (message: WriterReport | WriterNews) => {
    if (message === "closed") return closed?.();
    if (message === "shrunk" || message === "not shrunk") return shrunk?.(message === "shrunk");
    underWay--;
    // First the next batch, then the answers to the last: the writer need not wait until they are all sent.
    flush();
    settle(message);
  });
  const fail = (error: Error) => {
    failure = storageFailed(error.message);
    for (const call of calls.values()) call.reject(failure);
    calls.clear();
    waiting = [];
    closed?.();
    shrunk?.(false);
  };
  const died = (error: Error) => {
    const expected = failure !== undefined;
    fail(error);
    if (!expected) observer?.died(error);
  };
  thread.on("error", died);
  thread.on("exit", () => died(new Error("the writer thread has ended")));

  return {
    execute(name: CommandName, args: unknown): Promise<unknown> {
      if (failure !== undefined) return Promise.reject(failure);
      return new Promise((resolve, reject) => {
        const id = nextId++;
        calls.set(id, { resolve, reject });
        waiting.push([id, name, args]);
        schedule();
      });
    },
    backlog: () => calls.size,
    /** Give some free pages back. @returns false when that is not possible now */
    shrink(): Promise<boolean> {
      if (failure !== undefined) return Promise.resolve(false);
      return new Promise((resolve) => {
        shrunk = resolve;
        port.postMessage("shrink" satisfies WriterRequest);
      });
    },
    async close(): Promise<void> {
      if (failure !== undefined) return;
      const done = new Promise<void>((resolve) => {
        closed = resolve;
      });
      // What waits goes first, whatever is under way; then the end.
      if (waiting.length > 0) port.postMessage(waiting);
      waiting = [];
      port.postMessage("close");
      failure = new ServiceError("unavailable", "The store is closed.");
      await done;
      port.close();
      await thread.terminate();
    },
  };
}

function storageFailed(reason: string): ServiceError {
  return new ServiceError("unavailable", `Nothing can be stored durably right now (${reason}).`, {
    retry_after: 1,
  });
}

function startReader(path: string, died: () => void) {
  const { port1: port, port2 } = new MessageChannel();
  const thread = new Worker(new URL("./reader.ts", import.meta.url), {
    workerData: { path, port: port2 },
    transferList: [port2],
    name: "svc-reader",
  });
  const calls = new Map<number, Waiting>();
  let nextId = 0;
  port.on("message", ([id, outcome, result]: QueryReply) => {
    const call = calls.get(id);
    calls.delete(id);
    if (outcome === "done") call?.resolve(result);
    else call?.reject(new Error(result));
  });
  thread.on("error", (error) => {
    died();
    for (const call of calls.values()) call.reject(error as Error);
    calls.clear();
  });
  return {
    query(name: QueryName, args: unknown): Promise<unknown> {
      return new Promise((resolve, reject) => {
        const id = nextId++;
        calls.set(id, { resolve, reject });
        port.postMessage([id, name, args]);
      });
    },
    async close(): Promise<void> {
      port.postMessage("close");
      port.close();
      await thread.terminate();
    },
  };
}
