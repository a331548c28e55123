/** A whole service in production for tests of one part of it: real HTTP, a store in memory, its clock injected. */
import type { Clock } from "../src/clock.ts";
import { loadConfig } from "../src/config.ts";
import { silentLogger } from "../src/observe/log.ts";
import { startServer } from "../src/server.ts";

/** Parsed JSON of an answer, whatever its shape. */
export type Json = ReturnType<typeof JSON.parse>;

/** Of the configuration: it may do everything. */
export const ROOT_TOKEN = "root-api-token";
/** Of the configuration: sends to production. */
export const ROOT_EVENT_KEY = "root-event-key";

export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

/** @example const { call, send, close } = await productionService({ clock: manualClock(0) }) */
export async function productionService(
  given: { clock?: Clock; flags?: string[]; mode?: "dev" | "start" } = {},
) {
  const { clock, flags = [], mode = "start" } = given;
  const keys = mode === "dev" ? ["--no-discovery"] : ["--api-token", ROOT_TOKEN];
  const base = ["--event-key", ROOT_EVENT_KEY, "--in-memory", "--host", "127.0.0.1", "--port", "0"];
  const config = loadConfig(mode, [...keys, ...base, ...flags], {});
  const server = await startServer(config, {
    logger: silentLogger,
    ...(clock !== undefined && { clock }),
  });

  const request = async (method: string, path: string, headers: Record<string, string>, body: unknown) => {
    const response = await fetch(server.url + path, {
      method,
      headers,
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === "" ? null : JSON.parse(text),
      headers: response.headers,
    };
  };

  return {
    url: server.url,
    close: server.close,
    /** Call the API; as the one who may do everything unless another token is given. */
    call: (
      method: string,
      path: string,
      body?: unknown,
      { token = ROOT_TOKEN, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
    ): Promise<Answer> => request(method, path, { authorization: `Bearer ${token}`, ...headers }, body),
    /** Send events with a key. */
    send: (
      key: string,
      events: unknown = { name: "a", data: {} },
      headers: Record<string, string> = {},
    ): Promise<Answer> => request("POST", `/e/${key}`, headers, events),
  };
}

export type ProductionService = Awaited<ReturnType<typeof productionService>>;
