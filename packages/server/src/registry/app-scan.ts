/** Looks for apps on this machine: common ports, common paths, cheap requests. */
import { connect } from "node:net";
import type { AppClient } from "./app-client.ts";

/** Where development servers listen by default. */
export const COMMON_PORTS: readonly number[] = [
  3000, 3001, 3002, 3003, 3004, 3005, 3006, 3007, 3008, 3009, 3333, 3400, 4000, 4200, 4321, 5000, 5173, 8000,
  8080, 8787, 8888, 9000,
];

/** Where apps serve their functions by convention. */
export const COMMON_PATHS: readonly string[] = [
  "/api/svc",
  "/x/svc",
  "/.netlify/functions/svc",
  "/api/inngest",
  "/x/inngest",
  "/.netlify/functions/inngest",
  "/.redwood/functions/inngest",
];

/** Nobody serves functions here on purpose: an app that answers here answers everywhere. */
export const UNLIKELY_PATH = "/svc-looks-for-apps";

/** Some servers listen on one of the two only. */
const HOSTS = ["127.0.0.1", "[::1]"];
const CONNECT_TIMEOUT_MS = 300;
const PROBE_TIMEOUT_MS = 1_500;

/** The origin of a port of this machine that something listens on, e.g. `http://127.0.0.1:3000`. */
export async function openOrigin(port: number): Promise<string | undefined> {
  for (const host of HOSTS) {
    if (await isOpen(host.replace(/[[\]]/g, ""), port)) return `http://${host}:${port}`;
  }
  return undefined;
}

function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_TIMEOUT_MS });
    const end = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}

/** Whether an app answers at this address: anything with an SDK's headers is one, unless it says that it is elsewhere. */
export async function isApp(client: AppClient, url: string): Promise<boolean> {
  try {
    const { dialect, status } = await client.send(url, { method: "GET", timeoutMs: PROBE_TIMEOUT_MS });
    return dialect !== null && status !== 404;
  } catch {
    return false;
  }
}

/** Work through items, a few at once. */
export async function aFewAtOnce<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, queue.length) }, worker));
}
