/** A folder of webhooks as code, and a running service to pull it from and to push it to. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, before, beforeEach } from "node:test";
import { API_TOKEN, startService, type TestService } from "../../../test/service.ts";
import { runWebhooks } from "../src/cli/webhooks/webhooks.ts";

/** Parsed JSON, whatever its shape. */
export type Json = ReturnType<typeof JSON.parse>;

export const ONE = 'function transform(evt) {\n  return { name: "a/one", data: evt };\n}\n';
export const TWO = 'function transform(evt) {\n  return { name: "a/two", data: evt };\n}\n';
export const THREE = 'function transform(evt) {\n  return { name: "a/three", data: evt };\n}\n';
export const TYPED =
  'export function transform(evt: { id: string }) {\n  return { name: "a/typed", data: evt };\n}\n';

/** Run a command. @returns its exit code, and what it wrote */
export async function runAnywhere(argv: string[], env: Record<string, string> = {}) {
  const said: string[] = [];
  const complained: string[] = [];
  const output = {
    say: (line: string) => void said.push(line),
    complain: (line: string) => void complained.push(line),
  };
  const code = await runWebhooks(argv, env, output);
  return { code, said: said.join("\n"), complained: complained.join("\n") };
}

/** For the tests of one file: each begins with an empty folder and a service without webhooks. */
export function hooksFolder() {
  let service: TestService;
  let folder = "";

  const api = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${API_TOKEN}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, text);
    return text === "" ? null : JSON.parse(text).data;
  };
  const listed = (env = "production"): Promise<Json[]> => api("GET", `/v1/webhooks?limit=200&env=${env}`);
  const read = (name: string) => readFile(join(folder, name), "utf8");

  before(async () => {
    service = await startService("start", ["--event-key", "svc_evt_for-the-tests-of-webhooks-as-code"]);
  });
  after(() => service.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "svc-webhooks-"));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
    for (const env of ["production", "branches"]) {
      for (const { id } of await listed(env)) await api("DELETE", `/v1/webhooks/${id}`);
    }
  });

  return {
    api,
    /** The webhooks of an environment. */
    listed,
    read,
    url: () => service.url,
    folder: () => folder,
    create: (name: string, transform: string, more: object = {}): Promise<Json> =>
      api("POST", "/v1/webhooks", { name, transform, ...more }),
    /** Run a command against the service. */
    run: (...argv: string[]) =>
      runAnywhere(argv[0] === "test" ? argv : [...argv, "--url", service.url], { SVC_API_TOKEN: API_TOKEN }),
    async write(name: string, content: unknown): Promise<void> {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
    },
    manifest: async (): Promise<Json> => JSON.parse(await read("webhooks.json")),
  };
}
