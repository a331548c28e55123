/** Makes an app sync: asks it to, and reads the registration when it comes with the answer. */
import { HEADER, headerName, type SignatureVerdict, verifySignature } from "@svc/protocol";
import type { Config } from "../config.ts";
import { ServiceError } from "../errors.ts";
import type { AppRecord } from "../store/records.ts";
import type { AppAnswer, AppClient } from "./app-client.ts";
import { httpUrl } from "./function-schema.ts";
import type { AppRegistry } from "./registry.ts";
import { parseInBandSync } from "./validate-sync.ts";

export interface SyncAppParts {
  registry: AppRegistry;
  client: AppClient;
  config: Pick<Config, "mode">;
  /** The accepted signing keys of an environment, the one that signs first. */
  signingKeys(env: string): string[];
  now: () => number;
}

export interface SyncedApp {
  app: AppRecord;
  modified: boolean;
}

/** Syncs the app at an address into an environment. */
export type SyncApp = (env: string, url: string) => Promise<SyncedApp>;

/**
 * Returns the function that makes the app at an address sync.
 *
 * With a signing key the app may answer with its registration (in-band), which works without it knowing the
 * address of this service; else it registers by itself while we wait. An app that is known at that address
 * and cannot be synced is marked with the reason.
 * @throws {ServiceError} `sync_failed` with a sentence; `invalid_request` or `conflict` when its functions are
 * refused
 * @example await createSyncApp(parts)("dev", "http://127.0.0.1:3000/api/svc")
 */
export function createSyncApp(parts: SyncAppParts): SyncApp {
  const { registry } = parts;
  return async (env, url) => {
    if (!httpUrl.safeParse(url).success) {
      throw new ServiceError("invalid_request", "The address of an app must be an http or https address.", {
        field: "url",
      });
    }
    const before = appsAt(registry, env, url);
    try {
      const synced = await syncOnce(parts, env, url);
      if (parts.config.mode === "dev") {
        // The app was given another id while it was developed; its address can only serve one.
        for (const app of appsAt(registry, env, url)) {
          if (app.id !== synced.app.id) await registry.archiveApp(env, app.id);
        }
      }
      return synced;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      for (const app of before) await registry.setAppError(env, app.id, error.message);
      throw error;
    }
  };
}

async function syncOnce(parts: SyncAppParts, env: string, url: string): Promise<SyncedApp> {
  const { registry } = parts;
  const { answer, signingKey } = await requestSync(parts, env, url);
  const body = parseJson(answer.body) as Record<string, unknown> | undefined;
  if (answer.dialect === null || body === undefined) {
    throw failed(
      url,
      `The answer of ${url} does not come from an SDK: status ${answer.status}, ${quote(answer.body)}`,
    );
  }
  if (answer.status !== 200) {
    const message = text(body.message) ?? text(body.error) ?? quote(answer.body);
    throw failed(url, `The app at ${url} did not sync: ${message} (status ${answer.status})`);
  }
  if (Array.isArray(body.functions)) {
    await verifyAnswer(parts, env, url, answer, signingKey);
    const request = await parseInBandSync(body);
    const { modified } = await registry.sync(env, request, { dialect: answer.dialect });
    const app = registry.apps(env).find((one) => one.id === request.appName);
    if (app !== undefined) return { app, modified };
  }
  const [app] = appsAt(registry, env, url).sort((a, b) => b.synced_at - a.synced_at);
  if (app === undefined) {
    throw failed(
      url,
      `The app at ${url} says that it has synced, but is not known here: it has registered with another service, or gives itself another address.`,
    );
  }
  return { app, modified: body.modified === true };
}

/** Ask with each signing key in turn, until one is not refused: keys rotate. */
async function requestSync(
  { client, signingKeys }: SyncAppParts,
  env: string,
  url: string,
): Promise<{ answer: AppAnswer; signingKey: string | undefined }> {
  const known = signingKeys(env);
  const keys = known.length === 0 ? [undefined] : known;
  let refused: AppAnswer | undefined;
  for (const signingKey of keys) {
    const inBand = signingKey !== undefined;
    const body = inBand ? JSON.stringify({ url }) : "";
    const answer = await client.send(url, { method: "PUT", body, signingKey, inBand });
    if (answer.status !== 401) return { answer, signingKey };
    refused = answer;
  }
  return { answer: refused!, signingKey: keys[0] };
}

/** A registration that comes as an answer must be signed: no bearer token vouches for it. */
async function verifyAnswer(
  { now, config, signingKeys }: SyncAppParts,
  env: string,
  url: string,
  answer: AppAnswer,
  signingKey: string | undefined,
): Promise<void> {
  if (signingKey === undefined && config.mode === "dev") return;
  const header = answer.headers[headerName(answer.dialect!, HEADER.signature)];
  const signature = Array.isArray(header) ? header[0] : header;
  // While keys rotate the app may sign with another of ours than the one it was asked with.
  let verdict: SignatureVerdict = "missing";
  for (const key of signingKeys(env)) {
    verdict = await verifySignature(answer.body, signature, { key }, now());
    if (verdict === "valid") return;
  }
  throw failed(url, `The registration of the app at ${url} is not signed: ${verdict}`);
}

/** The living apps that gave this address, however it writes this machine's name. */
function appsAt(registry: AppRegistry, env: string, url: string): AppRecord[] {
  const address = addressKey(url);
  return registry.apps(env).filter((app) => addressKey(app.url) === address);
}

/**
 * An address without what does not tell apps apart: query, and which of its names this machine is called by.
 * @example addressKey("http://localhost:3000/api/svc?a=1") // "http://loopback:3000/api/svc"
 */
export function addressKey(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  const local = /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname);
  return `${protocol}//${local ? "loopback" : hostname}:${port}${pathname.replace(/\/+$/, "")}`;
}

function failed(url: string, sentence: string): ServiceError {
  return new ServiceError("sync_failed", `${sentence.replace(/\.$/, "")}.`, { url });
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, 1_000) : undefined;
}

/** The first 200 bytes of an answer. */
function quote(body: string): string {
  if (body === "") return "an empty body";
  return `"${Buffer.from(body).subarray(0, 200).toString("utf8").replace(/\s+/g, " ").trim()}"`;
}

function parseJson(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
