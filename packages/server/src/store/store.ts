/** The store as the rest of the service sees it: named commands and named queries. */
import type { CommandArgs, CommandName, CommandResult } from "./commands/index.ts";
import type { QueryArgs, QueryName, QueryResult } from "./queries/index.ts";

export interface Store {
  /**
   * Run a command durably: resolves after its commit. Rejects with `unavailable` when nothing can be made
   * durable (disk full, closed), with the command's own error otherwise; then nothing of it is written.
   */
  execute<K extends CommandName>(name: K, args: CommandArgs<K>): Promise<CommandResult<K>>;
  /**
   * Run a query on committed data without waiting for the writer. Each lane is a thread: a slow search cannot hold up
   * runs, and counting a million events for a chart not the list below it.
   */
  query<K extends QueryName>(name: K, args: QueryArgs<K>, lane?: QueryLane): Promise<QueryResult<K>>;
  /** Commands that wait or are under way: what backpressure looks at. */
  backlog(): number;
  /** Bytes the store takes on disk, without what is free for reuse. */
  size(): Promise<number>;
  /** Give free space back to the disk, a little at a time. */
  shrink(): Promise<void>;
  /** Finish what was accepted, then close. */
  close(): Promise<void>;
}

export type QueryLane = "api" | "runs" | "statistics";

/** What a store tells its metrics. */
export interface StoreObserver {
  committed(commands: number, seconds: number): void;
  /** Nothing of a commit could be written (a full disk, say); its senders were told to come back. */
  refused(reason: string): void;
  /** The store can do nothing more; only a new start of the process helps. */
  died(error: Error): void;
}
