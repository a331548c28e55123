import assert from "node:assert/strict";
import { after, test } from "node:test";
import { hashSigningKey } from "@svc/protocol";
import { manualClock } from "../../test/manual-clock.ts";
import { type TestAccess, testAccess } from "../../test/test-access.ts";
import { MAX_ENVIRONMENTS } from "../store/commands/create-environment.ts";
import type { Store } from "../store/store.ts";
import { createAccess } from "./access.ts";
import { BRANCH_PARENT } from "./environments.ts";
import { signingKeyHash } from "./keys/key-ring.ts";
import { makeKey } from "./keys/new-key.ts";
import { createSealer, freshSigningKey } from "./keys/secrets.ts";

const KEYS = { eventKeys: ["evt-a", "evt-b"], signingKeys: [], apiTokens: [] };
const opened: TestAccess[] = [];
after(async () => {
  for (const each of opened) await each.close();
});

async function open(...args: Parameters<typeof testAccess>) {
  const each = await testAccess(...args);
  opened.push(each);
  return each;
}

const AUTHOR = { auditId: "a", now: 1, kind: "service", id: null, name: "test", address: null };
const read = { access: "api", permission: "read" } as const;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test("start: an event key leads to production, anything else nowhere", async () => {
  const { access } = await open("start", KEYS);
  const sent = access.sender("evt-a");
  assert.deepEqual([sent.environment.id, sent.key.name], ["production", "default"]);
  assert.equal(access.sender("evt-b", "production").key.name, "default-2");
  for (const key of ["", "evt-c", "dev", "x".repeat(10_000)]) {
    assert.throws(() => access.sender(key), { code: "unauthorized" });
  }
  assert.throws(() => access.sender("evt-a", "dev"), { code: "forbidden" });
});

test("dev: every event key leads to dev, and no header changes that", async () => {
  const { access } = await open("dev", KEYS);
  for (const key of ["", "evt-a", "anything"]) {
    assert.equal(access.sender(key, "my-branch").environment.id, "dev");
  }
});

test("start without keys lets nobody in", async () => {
  const { access } = await open("start");
  for (const rule of [read, { access: "signing-key" } as const]) {
    for (const authorization of [undefined, "", "Bearer", "Bearer x", "Bearer undefined"]) {
      await assert.rejects(access.authenticate(rule, authorization === undefined ? {} : { authorization }), {
        code: "unauthorized",
      });
    }
  }
});

test("a token of the configuration may do everything, in every environment there is", async () => {
  const { access, store } = await open("start", { apiTokens: ["tok"] });
  await store.execute("createEnvironment", { author: AUTHOR, id: "e1", name: "staging", type: "named" });
  await access.reload();
  const administer = { access: "api", permission: "administer", account: true } as const;
  assert.equal((await access.authenticate(administer, bearer("tok"))).environment.id, "production");
  assert.equal((await access.authenticate(read, bearer("tok"), "staging")).environment.id, "e1");
  const header = { ...bearer("tok"), "x-inngest-env": "staging" };
  assert.equal((await access.authenticate(read, header)).environment.id, "e1");
  await assert.rejects(access.authenticate(read, bearer("tok"), "nowhere"), {
    code: "environment_not_found",
  });
});

test("a branch comes into being with the first sync under its name, and comes back when it was archived", async () => {
  const { access, store } = await open("start");
  const secret = freshSigningKey("branch");
  await store.execute("createKey", {
    author: { ...AUTHOR, auditId: "k" },
    key: {
      id: "k1",
      kind: "signing",
      env: BRANCH_PARENT,
      name: "branches",
      hash: await signingKeyHash(secret),
      hint: "",
      sealed: createSealer("test").seal(secret),
      scopes: null,
      event_filter: null,
      ip_filter: null,
      rate_limit: null,
      signs_from: 1,
    },
  });
  await access.reload();
  const headers = { ...bearer(await hashSigningKey(secret)), "x-svc-env": "feature/a" };
  const sync = { access: "signing-key", opensBranch: true } as const;
  const other = { access: "signing-key" } as const;
  await assert.rejects(access.authenticate(other, headers), { code: "environment_not_found" });
  const { environment } = await access.authenticate(sync, headers);
  assert.deepEqual([environment.name, environment.type], ["feature/a", "branch"]);
  assert.equal((await access.authenticate(other, headers)).environment.id, environment.id);
  assert.equal(access.signingKey(environment.id), secret);
  assert.equal(access.signingKey("production"), null);

  await store.execute("archiveEnvironment", {
    author: { ...AUTHOR, auditId: "b" },
    id: environment.id,
    archived: true,
  });
  await access.reload();
  await assert.rejects(access.authenticate(other, headers), { code: "environment_not_found" });
  // Runs under way go on to their end.
  const ofRuns = { access: "signing-key", ofRuns: true } as const;
  assert.equal((await access.authenticate(ofRuns, headers)).environment.id, environment.id);
  assert.equal((await access.authenticate(sync, headers)).environment.id, environment.id);

  for (const name of ["production", "branches"]) {
    await assert.rejects(access.authenticate(sync, { ...headers, "x-svc-env": name }), {
      code: "environment_not_found",
    });
  }
  await assert.rejects(access.authenticate(sync, { ...headers, "x-svc-env": "a b" }), {
    code: "invalid_request",
  });
  await assert.rejects(access.authenticate(sync, bearer(await hashSigningKey(secret))), {
    code: "environment_required",
  });
});

test("no more environments live than may, also when branches come back from the archive", async () => {
  const { access, store } = await open("start");
  const environment = { id: BRANCH_PARENT, name: BRANCH_PARENT };
  const { record, secret } = await makeKey(
    { id: "s1", kind: "signing", name: "apps", environment, signs_from: 1 },
    createSealer("test"),
  );
  await store.execute("createKey", { author: { ...AUTHOR, auditId: "k" }, key: record });
  const create = (id: string) =>
    store.execute("createEnvironment", { author: { ...AUTHOR, auditId: id }, id, name: id, type: "branch" });
  await create("first");
  const author = { ...AUTHOR, auditId: "archived" };
  await store.execute("archiveEnvironment", { author, id: "first", archived: true });
  await Promise.all(Array.from({ length: MAX_ENVIRONMENTS - 2 }, (_, i) => create(`b${i}`)));
  assert.equal(await create("one-more"), "too_many");
  await access.reload();
  const sync = { access: "signing-key", opensBranch: true } as const;
  const headers = { ...bearer(await hashSigningKey(secret)), "x-svc-env": "first" };
  await assert.rejects(access.authenticate(sync, headers), { code: "conflict", message: /too many/ });
});

test("whatever reload resolves, what was written before it was asked for is in force", async () => {
  const { access, store } = await open("start");
  await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const name = `branch-${i}`;
      const author = { ...AUTHOR, auditId: name };
      await store.execute("createEnvironment", { author, id: name, name, type: "branch" });
      await access.reload();
      assert.ok(access.environments.byId(name), name);
    }),
  );
});

test("a key that was revoked ends soon, also when the store could not be read right after", async () => {
  const { store } = await open("start");
  const clock = manualClock(0);
  let broken = false;
  const failing: Pick<Store, "execute" | "query"> = {
    execute: store.execute,
    query: (...args) => (broken ? Promise.reject(new Error("the reader has died")) : store.query(...args)),
  };
  const config = { mode: "start" as const, eventKeys: [], signingKeys: [], apiTokens: [] };
  const sealer = createSealer("test");
  const access = await createAccess({ config, store: failing, sealer, clock, nextId: () => "x" });
  const environment = { id: "production", name: "production" };
  const { record, secret } = await makeKey({ id: "k1", kind: "event", name: "k", environment }, sealer);
  await store.execute("createKey", { author: { ...AUTHOR, auditId: "1" }, key: record });
  await access.reload();
  access.sender(secret);
  await store.execute("revokeKey", { author: { ...AUTHOR, auditId: "2" }, id: "k1" });
  broken = true;
  await assert.rejects(access.reload(), /the reader has died/);
  broken = false;
  const before = access.version();
  clock.advance(1_000);
  while (access.version() === before) await new Promise((resolve) => setImmediate(resolve));
  assert.throws(() => access.sender(secret), { code: "unauthorized" });
});

test("a store whose signing keys were encrypted with another key is refused with a sentence", async () => {
  const { store } = await open("start");
  const environment = { id: "production", name: "production" };
  const settings = { id: "s1", kind: "signing", name: "apps", environment } as const;
  const { record } = await makeKey(settings, createSealer("another"));
  await store.execute("createKey", { author: { ...AUTHOR, auditId: "s" }, key: record });
  await assert.rejects(testAccess("start", {}, store), /"apps" cannot be decrypted: SVC_SECRET_KEY/);
});

test("looking up an event key takes about a microsecond", async () => {
  const { access } = await open("start", KEYS);
  for (let i = 0; i < 20_000; i++) access.sender("evt-a");
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now();
    for (let i = 0; i < 10_000; i++) access.sender("evt-a");
    best = Math.min(best, (performance.now() - startedAt) / 10);
  }
  // Microseconds; wide enough for a busy machine, too narrow for a hash object per key.
  assert.ok(best < 10, `${best} µs`);
});
