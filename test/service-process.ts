/** The service in a process of its own, as users run it: what a test does cannot slow it down, nor hide what it costs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { API_TOKEN, client, type TestService } from "./service.ts";

const SVC = fileURLToPath(new URL("../packages/server/bin/svc.js", import.meta.url));

const START_TIMEOUT_MS = 10_000;

export interface ServiceProcess extends TestService {
  port: number;
  /** Log lines of level error, and what was written to stderr. */
  complaints: string[];
  /** Resident memory, bytes. */
  memory(): Promise<number>;
  /** Ask for `/health` again and again until the returned function is called, which gives the slowest answer, ms. */
  watchHealth(): () => Promise<number>;
}

/** Start `svc dev` or `svc start` on a free port, keeping nothing. */
export async function startServiceProcess(
  mode: "dev" | "start",
  flags: string[] = [],
): Promise<ServiceProcess> {
  const base = mode === "dev" ? ["--no-discovery", "--no-poll"] : ["--api-token", API_TOKEN];
  const listen = ["--in-memory", "--host", "127.0.0.1", "--port", "0", "--log-format", "json"];
  const child = spawn(process.execPath, [SVC, mode, ...base, ...listen, ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH },
  });
  const exited = once(child, "exit");
  const complaints: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /"svc (?:dev )?is up".*?(http:\/\/127\.0\.0\.1:\d+)/.exec(line);
      if (found) resolve(found[1]!);
      if (line.includes('"level":"error"')) complaints.push(line);
    });
    createInterface({ input: child.stderr }).on("line", (line) => complaints.push(line));
    const failed = () => reject(new Error(`svc did not get ready: ${complaints.join("\n")}`));
    exited.then(failed);
    setTimeout(failed, START_TIMEOUT_MS).unref();
  });
  return {
    ...client(url, API_TOKEN),
    port: Number(new URL(url).port),
    complaints,
    async memory() {
      const text = await (await fetch(`${url}/metrics`)).text();
      return Number(/^svc_process_resident_memory_bytes (\d+)$/m.exec(text)![1]);
    },
    watchHealth() {
      const worker = new Worker(new URL("./health-watch.ts", import.meta.url), {
        workerData: `${url}/health`,
      });
      return async () => {
        worker.postMessage("stop");
        const [slowest] = await once(worker, "message");
        return slowest as number;
      };
    },
    async close() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
