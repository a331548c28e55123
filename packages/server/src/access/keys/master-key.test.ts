import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { loadConfig } from "../../config.ts";
import { silentLogger } from "../../observe/log.ts";
import { startServer } from "../../server.ts";
import { masterKey } from "./master-key.ts";

const root = mkdtempSync(join(tmpdir(), "svc-key-"));
after(() => rmSync(root, { recursive: true, force: true }));
let dir = "";
let tests = 0;
beforeEach(() => {
  dir = join(root, String(tests++));
});

test("the key is made once and kept in a file for the service's user alone", () => {
  const key = masterKey(null, dir);
  assert.equal(masterKey(null, dir), key);
  assert.equal(readFileSync(join(dir, "secret.key"), "utf8"), `${key}\n`);
  assert.equal(statSync(join(dir, "secret.key")).mode & 0o777, 0o600);
  assert.equal(masterKey("given", dir), "given");
});

test("a file that is empty or cannot be read is told with a sentence, and not replaced", () => {
  mkdirSync(join(dir, "secret.key"), { recursive: true });
  assert.throws(() => masterKey(null, dir), { code: "SECRET_KEY", message: /cannot be read \(EISDIR\)/ });
  const empty = join(root, "empty");
  mkdirSync(empty);
  writeFileSync(join(empty, "secret.key"), "\n");
  assert.throws(() => masterKey(null, empty), { code: "SECRET_KEY", message: /is empty: restore it/ });
  assert.equal(readFileSync(join(empty, "secret.key"), "utf8"), "\n");
});

test("with another key webhooks go on under their addresses, which can only be replaced", async () => {
  const start = async (key: string) => {
    const flags = ["--data-dir", dir, "--host", "127.0.0.1", "--port", "0", "--api-token", "a-token-of-ours"];
    const config = loadConfig("start", [...flags, "--event-key", "an-event-key", "--secret-key", key], {});
    const server = await startServer(config, { logger: silentLogger });
    const call = async (method: string, path: string, body?: object) => {
      const headers = { authorization: "Bearer a-token-of-ours" };
      const response = await fetch(server.url + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    };
    return { ...server, call };
  };
  const first = await start("the-first-key");
  const { id, url } = (await first.call("POST", "/v1/webhooks", { name: "w" })).body.data;
  await first.close();
  const second = await start("the-second-key");
  try {
    const listed = await second.call("GET", "/v1/webhooks");
    assert.deepEqual([listed.status, listed.body.data[0].id, listed.body.data[0].url], [200, id, null]);
    assert.equal((await second.call("POST", new URL(url).pathname, { n: 1 })).status, 200);
    const rotated = await second.call("POST", `/v1/webhooks/${id}/rotate`);
    assert.match(rotated.body.data.url, /\/e\/svc_whk_/);
  } finally {
    await second.close();
  }
});
