/** A running service for tests: its own port, its own temporary data, spoken to over HTTP alone. */

import { loadConfig } from "../packages/server/src/config.ts";
import { silentLogger } from "../packages/server/src/observe/log.ts";
import { startServer } from "../packages/server/src/server.ts";

export const API_TOKEN = "test-api-token";

export interface ApiRun {
  id: string;
  function_id: string;
  status: string;
  output: unknown;
  error: { name: string; message: string } | null;
  attempts: number;
  steps: { id: string; name: string; op: string; status: string; output: unknown }[];
}

export interface TestService {
  url: string;
  /** GET a path of the API. */
  api<T>(path: string): Promise<T>;
  runsOf(eventId: string): Promise<ApiRun[]>;
  /** Wait for the one run of an event to end. */
  finishedRun(eventId: string): Promise<ApiRun>;
  event(id: string): Promise<{ id: string; name: string; data: unknown }>;
  /** Try an assertion again and again until it holds, for a few seconds. */
  eventually(assertion: () => void | Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Start the service as the CLI would with these flags, on a free port, keeping nothing. */
export async function startService(mode: "dev" | "start", flags: string[] = []): Promise<TestService> {
  const base = mode === "dev" ? ["--no-discovery", "--no-poll"] : ["--api-token", API_TOKEN];
  const data = flags.includes("--data-dir") ? [] : ["--in-memory"];
  const config = loadConfig(mode, [...base, ...data, "--host", "127.0.0.1", "--port", "0", ...flags], {});
  const server = await startServer(config, { logger: silentLogger });
  return { ...client(server.url, API_TOKEN), close: server.close };
}

/** Speak to a running service. */
export function client(url: string, token: string): Omit<TestService, "close"> {
  const api = async <T>(path: string): Promise<T> => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const eventually = async (assertion: () => void | Promise<void>) => {
    for (let tries = 0; ; tries++) {
      try {
        await assertion();
        return;
      } catch (error) {
        if (tries >= 400) throw error;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  };
  const runsOf = async (eventId: string) =>
    (await api<{ data: ApiRun[] }>(`/v1/events/${eventId}/runs`)).data;
  return {
    url,
    api,
    runsOf,
    eventually,
    event: async (id) =>
      (await api<{ data: { id: string; name: string; data: unknown } }>(`/v1/events/${id}`)).data,
    async finishedRun(eventId) {
      let id = "";
      await eventually(async () => {
        const [run] = await runsOf(eventId);
        if (run === undefined || run.status === "queued" || run.status === "running") {
          throw new Error(`the run of ${eventId} has not ended: ${JSON.stringify(run)}`);
        }
        id = run.id;
      });
      return (await api<{ data: ApiRun }>(`/v1/runs/${id}`)).data;
    },
  };
}
