import assert from "node:assert/strict";
import { test } from "node:test";
import { createAccess } from "./access.ts";

const keys = { eventKeys: ["evt-a", "evt-b"], signingKeys: [], apiTokens: [] };

test("start: an event key leads to production, anything else nowhere", async () => {
  const access = await createAccess({ mode: "start", ...keys });
  assert.deepEqual(access.eventKeyEnv("evt-a"), { env: "production", name: "default" });
  assert.deepEqual(access.eventKeyEnv("evt-b", "production"), { env: "production", name: "default-2" });
  for (const key of ["", "evt-c", "dev", "x".repeat(10_000)]) {
    assert.throws(() => access.eventKeyEnv(key), { code: "unauthorized" });
  }
  assert.throws(() => access.eventKeyEnv("evt-a", "dev"), { code: "forbidden" });
});

test("dev: every event key leads to dev, and no header changes that", async () => {
  const access = await createAccess({ mode: "dev", ...keys });
  for (const key of ["", "evt-a", "anything"]) assert.equal(access.eventKeyEnv(key, "my-branch").env, "dev");
});

test("start without keys lets nobody in", async () => {
  const access = await createAccess({ mode: "start", eventKeys: [], signingKeys: [], apiTokens: [] });
  for (const kind of ["api", "signing-key"] as const) {
    for (const authorization of [undefined, "", "Bearer", "Bearer x", "Bearer undefined"]) {
      assert.throws(() => access.authenticate(kind, authorization === undefined ? {} : { authorization }), {
        code: "unauthorized",
      });
    }
  }
});

test("looking up an event key takes about a microsecond", async () => {
  const access = await createAccess({ mode: "start", ...keys });
  for (let i = 0; i < 20_000; i++) access.eventKeyEnv("evt-a");
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now();
    for (let i = 0; i < 10_000; i++) access.eventKeyEnv("evt-a");
    best = Math.min(best, (performance.now() - startedAt) / 10);
  }
  // Microseconds; wide enough for a busy machine, too narrow for a hash object per key.
  assert.ok(best < 10, `${best} µs`);
});
