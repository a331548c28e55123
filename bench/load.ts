/**
 * The load generator, the same for the product and for its baseline: connections that send one prepared request again
 * and again, each as soon as the last one is answered. `wrk` where it is installed, because it takes the least from
 * the processor that the measured one needs too; else raw sockets in a process of their own.
 */
import { execFile, execFileSync, fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface LoadOptions {
  port: number;
  path: string;
  headers?: Record<string, string>;
  body: string;
  connections: number;
  seconds: number;
}

export interface LoadResult {
  requestsPerSecond: number;
  /** Answers other than 2xx, by status. */
  refused: Record<string, number>;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** Put a server under load and see what it answers. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  return hasWrk() ? runWrk(options) : runSockets(options);
}

/** What generates the load on this machine. */
export function loadGenerator(): string {
  return hasWrk() ? "wrk" : "raw sockets (wrk is not installed)";
}

let wrkFound: boolean | undefined;

function hasWrk(): boolean {
  if (wrkFound === undefined) {
    try {
      execFileSync("which", ["wrk"], { stdio: "ignore" });
      wrkFound = true;
    } catch {
      wrkFound = false;
    }
  }
  return wrkFound;
}

async function runWrk({
  port,
  path,
  headers = {},
  body,
  connections,
  seconds,
}: LoadOptions): Promise<LoadResult> {
  const dir = mkdtempSync(join(tmpdir(), "svc-wrk-"));
  const script = join(dir, "request.lua");
  const lines = Object.entries({ "content-type": "application/json", ...headers });
  writeFileSync(
    script,
    [
      'wrk.method = "POST"',
      ...lines.map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`),
      `wrk.body = [==[${body}]==]`,
    ].join("\n"),
  );
  const run = async (duration: number) => {
    const flags = ["-t1", `-c${connections}`, `-d${duration}s`, "--latency", "-s", script];
    return (await promisify(execFile)("wrk", [...flags, `http://127.0.0.1:${port}${path}`])).stdout;
  };
  try {
    await run(WARM_UP_S);
    const report = await run(seconds);
    const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(report)?.[1] ?? 0);
    return {
      requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(report)?.[1]),
      refused: refused > 0 ? { other: refused } : {},
      p50: milliseconds(/50%\s+([\d.]+)(us|ms|s)/.exec(report)),
      p99: milliseconds(/99%\s+([\d.]+)(us|ms|s)/.exec(report)),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function milliseconds(match: RegExpExecArray | null): number {
  const factor = { us: 0.001, ms: 1, s: 1_000 }[match?.[2] ?? "ms"] ?? 1;
  return Number(match?.[1]) * factor;
}

function runSockets(options: LoadOptions): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [JSON.stringify(options)]);
    child.on("message", (result) => resolve(result as LoadResult));
    child.on("error", reject);
    child.on("exit", (code) => {
      if (code !== 0) reject(new Error(`the load generator ended with ${code}`));
    });
  });
}

/** Answers of the first part of a run do not count, s: caches fill and code is compiled. */
export const WARM_UP_S = 1;

async function generate(options: LoadOptions): Promise<LoadResult> {
  const { port, path, headers = {}, body, connections, seconds } = options;
  const lines = Object.entries({ "content-type": "application/json", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const request = Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join("")}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const latencies: number[] = [];
  const refused: Record<string, number> = {};
  let answered = 0;
  const from = performance.now() + WARM_UP_S * 1000;
  const until = from + seconds * 1000;

  const worker = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      let sentAt = 0;
      let rest = "";
      const send = () => {
        sentAt = performance.now();
        socket.write(request);
      };
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("data", (chunk: Buffer) => {
        rest += chunk.toString("latin1");
        const headEnd = rest.indexOf("\r\n\r\n");
        if (headEnd === -1) return;
        const length = /content-length: (\d+)/i.exec(rest);
        if (length === null || rest.length < headEnd + 4 + Number(length[1])) return;
        const status = rest.slice(9, 12);
        rest = "";
        const now = performance.now();
        if (now >= from) {
          answered++;
          latencies.push(now - sentAt);
          if (status[0] !== "2") refused[status] = (refused[status] ?? 0) + 1;
        }
        if (now >= until) {
          socket.destroy();
          resolve();
        } else send();
      });
    });
  await Promise.all(Array.from({ length: connections }, worker));
  latencies.sort((a, b) => a - b);
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { requestsPerSecond: answered / seconds, refused, p50: at(0.5), p99: at(0.99) };
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  process.send(await generate(JSON.parse(process.argv[2] ?? "{}")));
  process.exit(0);
}
