/**
 * Load at fixed rates, several streams side by side, in a process of its own. A request counts from the moment it is
 * due, not from when a connection was free for it: a service that stands still for a second delays every request of that
 * second, and a generator that waits with it would note only one.
 */
import { fork } from "node:child_process";
import { connect, type Socket } from "node:net";

export interface PacedStream {
  path: string;
  body: string;
  /** Requests per second. */
  rate: number;
}

export interface PacedOptions {
  port: number;
  seconds: number;
  streams: PacedStream[];
}

export interface PacedResult {
  /** Milliseconds from the moment a request was due until its answer. */
  p50: number;
  p99: number;
  /** Answers by status. A request without an answer when the time and the patience are over counts as `none`. */
  answers: Record<string, number>;
}

/** The first part of a run does not count. */
const WARM_UP_MS = 500;

/** Connections of a stream: a request that finds none free waits for one. */
const CONNECTIONS = 64;

/** How long answers are waited for after the last request, ms. */
const PATIENCE_MS = 6_000;

/** Send all streams and see how soon each is answered. @returns one result for each stream, in their order */
export function runPaced(options: PacedOptions): Promise<PacedResult[]> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [JSON.stringify(options)]);
    child.on("message", (results) => resolve(results as PacedResult[]));
    child.on("error", reject);
    child.on("exit", (code) => {
      if (code !== 0) reject(new Error(`the load generator ended with ${code}`));
    });
  });
}

async function generate(
  port: number,
  { path, body, rate }: PacedStream,
  seconds: number,
): Promise<PacedResult> {
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`;
  const request = Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  const latencies: number[] = [];
  const answers: Record<string, number> = {};
  const free: Socket[] = [];
  /** Moments at which requests were due that found no connection. */
  const waiting: number[] = [];
  const dueAt = new Map<Socket, number>();
  const startedAt = performance.now();
  const countsFrom = startedAt + WARM_UP_MS;
  const until = countsFrom + seconds * 1_000;
  let open = 0;

  const send = (socket: Socket, due: number) => {
    dueAt.set(socket, due);
    open++;
    socket.write(request);
  };
  const count = (due: number, status: string) => {
    if (due < countsFrom) return;
    answers[status] = (answers[status] ?? 0) + 1;
    latencies.push(performance.now() - due);
  };
  const connectOne = async () => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    let received = "";
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      const headEnd = received.indexOf("\r\n\r\n");
      const length = /content-length: (\d+)/i.exec(received);
      if (headEnd === -1 || length === null || received.length < headEnd + 4 + Number(length[1])) return;
      count(dueAt.get(socket)!, received.slice(9, 12));
      received = "";
      dueAt.delete(socket);
      open--;
      const next = waiting.shift();
      if (next === undefined) free.push(socket);
      else send(socket, next);
    });
    free.push(socket);
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, connectOne));

  let sent = 0;
  const firstDue = performance.now();
  while (performance.now() < until + PATIENCE_MS) {
    const now = performance.now();
    for (let due = firstDue + (sent * 1_000) / rate; due <= now && due < until; ) {
      const socket = free.pop();
      if (socket === undefined) waiting.push(due);
      else send(socket, due);
      sent++;
      due = firstDue + (sent * 1_000) / rate;
    }
    if (now >= until && open === 0 && waiting.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  for (const due of [...dueAt.values(), ...waiting]) count(due, "none");
  for (const socket of sockets) socket.destroy();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), answers };
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  const { port, seconds, streams } = JSON.parse(process.argv[2]!) as PacedOptions;
  process.send(await Promise.all(streams.map((stream) => generate(port, stream, seconds))));
  process.exit(0);
}
