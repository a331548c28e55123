/** The processes a benchmark runs against: the service, apps, baselines. Each on a free port. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const EVENT_KEY = "bench";
export const API_TOKEN = "bench-api-token";

const root = join(import.meta.dirname, "..");

const children = new Set<ChildProcess>();
// A benchmark that fails leaves nothing running.
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

export interface BenchProcess {
  port: number;
  url: string;
  child: ChildProcess;
  stop(): Promise<void>;
}

/** Start one of `bench/processes/`. */
export async function startProcess(
  name: "bare-http" | "sdk-app" | "inngest-app",
  args: object = {},
): Promise<BenchProcess> {
  const child = fork(join(import.meta.dirname, "processes", `${name}.ts`), [JSON.stringify(args)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  children.add(child);
  const { port } = await ask<{ port: number }>(child);
  return { port, url: `http://127.0.0.1:${port}/api/svc`, child, stop: () => ended(child, "SIGKILL") };
}

/** The next message of a process, after an optional question. */
export function ask<T>(child: ChildProcess, question?: string): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as T));
    child.once("exit", (code) => reject(new Error(`the process ended with ${code}`)));
    if (question !== undefined) child.send(question);
  });
}

export interface Service extends BenchProcess {
  dataDir: string;
  /** From spawning the process to its first answer, ms. */
  startedInMs: number;
}

/** Start `svc start`, or `svc dev`, as a user would. `dataDir` is kept when given, else it goes with the service. */
export async function startSvc(
  options: { dataDir?: string; signingKey?: string; flags?: string[]; mode?: "start" | "dev" } = {},
): Promise<Service> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "svc-bench-"));
  const port = await freePort();
  const { mode = "start" } = options;
  const own =
    mode === "start"
      ? ["--event-key", EVENT_KEY, "--api-token", API_TOKEN]
      : ["--no-discovery", "--no-poll", "--log-format", "json"];
  const flags = ["--port", String(port), "--data-dir", dataDir, ...own];
  if (options.signingKey !== undefined) flags.push("--signing-key", options.signingKey);
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      join(root, "packages/server/bin/svc.js"),
      mode,
      "--log-level",
      "error",
      ...flags,
      ...(options.flags ?? []),
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  children.add(child);
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(`${url}/health`))) {
    if (child.exitCode !== null) throw new Error("svc did not start");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return {
    port,
    url,
    child,
    dataDir,
    startedInMs: performance.now() - startedAt,
    async stop() {
      await ended(child, "SIGTERM");
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** What a process has used of all processors so far, s; NaN where there is no /proc to tell. */
export function cpuSeconds({ child }: BenchProcess): number {
  const file = `/proc/${child.pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, "utf8").split(") ")[1]!.split(" ");
  // User and system time in hundredths, the unit of /proc on every platform of Linux.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
