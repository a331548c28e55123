/** What the main thread and the store's threads say to each other. */
import type { MessagePort } from "node:worker_threads";
import type { CommandName } from "../commands/index.ts";
import type { QueryName } from "../queries/index.ts";

export interface WriterData {
  path: string;
  durable: boolean;
  port: MessagePort;
}

export interface ReaderData {
  path: string;
  port: MessagePort;
}

export type CommandCall = [id: number, name: CommandName, args: unknown];
/** Asked of the writer beside commands. */
export type WriterRequest = "close" | "shrink";
/** What the writer answers to that. */
export type WriterNews = "closed" | "shrunk" | "not shrunk";

export type CommandReply =
  | [id: number, outcome: "done", result: unknown]
  | [id: number, outcome: "failed" | "unavailable", message: string];

/** The outcome of one commit. */
export interface WriterReport {
  replies: CommandReply[];
  seconds: number;
}

export type QueryCall = [id: number, name: QueryName, args: unknown];
export type QueryReply =
  | [id: number, outcome: "done", result: unknown]
  | [id: number, outcome: "failed", message: string];
