import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadConfig } from "../config.ts";
import { silentLogger } from "../observe/log.ts";
import { startServer } from "../server.ts";

const BIN = fileURLToPath(new URL("../../bin/svc.js", import.meta.url));
const TOKEN = "root-api-token";

function dataDirectory(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "svc-drop-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function svc(dir: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [BIN, "drop-signing-keys", "--data-dir", dir, ...args],
    { encoding: "utf8", env: { PATH: process.env.PATH } },
  );
  return { status, stdout, stderr };
}

/** A service in production on a directory, and its API for the one who may do everything. */
async function service(t: TestContext, dir: string, secretKey: string) {
  const flags = ["--data-dir", dir, "--secret-key", secretKey, "--api-token", TOKEN];
  const config = loadConfig("start", [...flags, "--host", "127.0.0.1", "--port", "0"], {});
  const { url, close } = await startServer(config, { logger: silentLogger });
  t.after(close);
  return {
    close,
    async call(method: string, path: string, body?: unknown) {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${TOKEN}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const answer = await response.json();
      assert.ok(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`);
      return answer.data;
    },
  };
}

test("a service whose secret key was lost starts again once its signing keys were dropped", async (t) => {
  const dir = dataDirectory(t);
  const before = await service(t, dir, "the-first-secret-key");
  await before.call("POST", "/v1/environments", { name: "staging", type: "named" });
  await before.call("POST", "/v1/signing-keys?env=production", { name: "apps" });
  await before.call("POST", "/v1/signing-keys?env=production", { name: "next" });
  await before.call("POST", "/v1/signing-keys?env=staging", { name: "try" });
  await before.call("POST", "/v1/event-keys?env=production", { name: "web" });
  await before.call("POST", "/v1/webhooks?env=production", { name: "shop" });
  await before.close();

  const another = ["--secret-key", "another-secret-key"];
  await assert.rejects(service(t, dir, "another-secret-key"), {
    code: "SECRET_KEY",
    message: /`svc drop-signing-keys` says what goes with it/,
  });
  const look = svc(dir, ...another);
  assert.equal(look.status, 0, look.stderr);
  assert.match(look.stdout, /^3 stored signing keys cannot be decrypted/);
  assert.match(look.stdout, /^ {2}production: apps \(signkey-prod-….{4}\), next \(.*\); none is left: /m);
  assert.match(look.stdout, /^ {2}staging: try \(signkey-staging-….{4}\); none is left: /m);
  assert.match(look.stdout, /The addresses of 1 webhook cannot be shown/);
  assert.match(look.stdout, /Nothing was changed\. If a backup has the key, put it back instead\./);
  // So it was: the right key still opens all of it.
  const kept = await service(t, dir, "the-first-secret-key");
  assert.equal((await kept.call("GET", "/v1/signing-keys?env=production")).length, 2);
  await kept.close();

  const drop = svc(dir, ...another, "--signing-key", `signkey-prod-${"ab".repeat(32)}`, "--yes");
  assert.equal(drop.status, 0, drop.stderr);
  assert.match(
    drop.stdout,
    /^Dropped 3 signing keys, and wrote it to the audit log:\n {2}production: .*; 1 key left$/m,
  );
  const after = await service(t, dir, "another-secret-key");
  for (const env of ["production", "staging"]) {
    assert.deepEqual(await after.call("GET", `/v1/signing-keys?env=${env}`), []);
  }
  assert.equal((await after.call("GET", "/v1/event-keys?env=production")).length, 1);
  const entries = await after.call("GET", "/v1/audit-log?action=signing_key.revoked");
  assert.deepEqual(
    entries.map(({ actor, target }: { actor: { name: string }; target: { name: string } }) => [
      actor.name,
      target.name,
    ]),
    ["try", "next", "apps"].map((name) => ["svc drop-signing-keys", name]),
  );
  assert.equal((await after.call("POST", "/v1/signing-keys?env=staging", { name: "anew" })).signing, true);
  await after.close();
});

test("keys that can be read are left alone, also those beside lost ones", async (t) => {
  const dir = dataDirectory(t);
  const first = await service(t, dir, "the-first-secret-key");
  await first.call("POST", "/v1/signing-keys?env=production", { name: "apps" });
  await first.close();
  const { status, stdout } = svc(dir, "--secret-key", "the-first-secret-key", "--yes");
  assert.deepEqual(
    [status, stdout],
    [0, "Every stored signing key can be read: there is nothing to drop.\n"],
  );
  const again = await service(t, dir, "the-first-secret-key");
  assert.equal((await again.call("GET", "/v1/signing-keys?env=production")).length, 1);
  // The service is running, and says so.
  const running = svc(dir, "--secret-key", "another-secret-key", "--yes");
  assert.equal(running.status, 1);
  assert.match(running.stderr, /^Another svc is running on .*\n$/);
  await again.close();
});

test("a directory without a store is told, and stays empty", (t) => {
  const dir = dataDirectory(t);
  const { status, stderr } = svc(dir, "--yes");
  assert.deepEqual([status, stderr], [2, `${dir} has no store: name its directory with --data-dir.\n`]);
  assert.deepEqual(readdirSync(dir), []);
  assert.match(svc(dir, "--in-memory").stderr, /^--in-memory has no store/);
});
