/** The service as users run it: `svc start` in a process of its own, killed and stopped by signals. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const EVENT_KEY = "chaos-suite-event-key";
export const API_TOKEN = "chaos-suite-api-token";
export const SIGNING_KEY = "signkey-prod-6368616f73206b65792c206f6e6c7920666f72207465737473";

const SVC = fileURLToPath(new URL("../../packages/server/bin/svc.js", import.meta.url));

/** Longest a start may take: it replays the log of whatever the kill left. */
const START_TIMEOUT_MS = 30_000;

/** Twice the grace that `svc start` gives itself; who has not ended then never will. */
const STOP_TIMEOUT_MS = 16_000;

export interface ServiceOptions {
  port: number;
  dataDir: string;
  appUrl: string;
  /** Further flags of `svc start`. */
  flags?: string[];
}

export interface ServiceProcess {
  /** Resolves to the milliseconds from the start of the process until it listened; rejects when it ended before. */
  ready: Promise<number>;
  /** End it as a crash does. */
  kill(): Promise<void>;
  /** Ask it to end. @returns its exit code (null when it had to be killed) and how long it took, ms */
  stop(): Promise<{ code: number | null; ms: number }>;
  /** Log lines of level error and what was written to stderr. */
  complaints: string[];
}

/** Start the service; it is not ready yet when this returns. */
export function startService({ port, dataDir, appUrl, flags = [] }: ServiceOptions): ServiceProcess {
  const startedAt = performance.now();
  const listen = ["--host", "127.0.0.1", "--port", String(port), "--data-dir", dataDir];
  const keys = ["--event-key", EVENT_KEY, "--signing-key", SIGNING_KEY, "--api-token", API_TOKEN];
  const runs = ["-u", appUrl, "--retry-base", "100ms", "--log-format", "json"];
  const child = spawn(process.execPath, [SVC, "start", ...listen, ...keys, ...runs, ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit") as Promise<[code: number | null]>;
  const complaints: string[] = [];

  const ready = new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.includes('"svc is up"')) resolve(performance.now() - startedAt);
      if (line.includes('"level":"error"')) complaints.push(line);
    });
    const tooLong = setTimeout(() => reject(new Error("svc did not get ready")), START_TIMEOUT_MS);
    exited.then(([code]) => {
      clearTimeout(tooLong);
      reject(new Error(`svc ended with ${code} before it was ready: ${complaints.join("\n")}`));
    });
  });
  createInterface({ input: child.stderr }).on("line", (line) => complaints.push(line));
  // One that is killed while it starts is never waited for.
  ready.catch(() => {});

  return {
    ready,
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async stop() {
      const askedAt = performance.now();
      child.kill("SIGTERM");
      const tooLong = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
      const [code] = await exited;
      clearTimeout(tooLong);
      return { code, ms: performance.now() - askedAt };
    },
    complaints,
  };
}

/**
 * A free port below those that the system gives to outgoing connections: such a connection could take the port
 * while the service is down, or even connect to itself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
}
