/** What every engine of the store must do with keys and environments. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MAX_ENVIRONMENTS } from "../../src/store/commands/create-environment.ts";
import { MAX_KEYS, type NewKeyRecord } from "../../src/store/commands/create-key.ts";
import type { UpdateEnvironmentArgs } from "../../src/store/commands/update-environment.ts";
import { engineUnderTest, FAR, type OpenStore, T0 } from "./engine-under-test.ts";

export function accessContract(engineName: string, open: OpenStore) {
  describe(`access in the store on ${engineName}`, () => {
    const engine = engineUnderTest(open);
    const { author, nextId } = engine;

    const newKey = (fields: Partial<NewKeyRecord> = {}): NewKeyRecord => {
      const id = nextId(T0);
      const none = { sealed: null, scopes: null, event_filter: null, ip_filter: null, rate_limit: null };
      const key = { id, kind: "event" as const, env: "production", name: "web", hash: id, hint: "…" };
      return { ...key, ...none, signs_from: null, ...fields };
    };

    const livingKeys = async (now = T0) =>
      (await engine.store.query("loadAccess", { now })).keys.map(({ id }) => id);

    const environmentOf = async (id: string) =>
      (await engine.store.query("loadAccess", { now: T0 })).environments.find((each) => each.id === id);

    test("a key lives until it is revoked or its time is over", async () => {
      const [kept, revoked, timed] = [newKey(), newKey(), newKey({ expires_at: T0 + 5 })];
      for (const key of [kept, revoked, timed]) {
        assert.equal(await engine.store.execute("createKey", { author: author(), key }), "created");
      }
      assert.equal(await engine.store.execute("revokeKey", { author: author(), id: revoked.id }), true);
      assert.equal(await engine.store.execute("revokeKey", { author: author(), id: revoked.id }), false);
      assert.deepEqual(await livingKeys(T0 + 4), [kept.id, timed.id].sort());
      assert.deepEqual(await livingKeys(T0 + 5), [kept.id]);
      const late = { author: author(T0 + 5), id: timed.id };
      assert.equal(await engine.store.execute("revokeKey", late), false);
      assert.equal(await engine.store.execute("updateKey", { ...late, change: { name: "x" } }), false);
    });

    test("a rotation adds one key and ends the other, or does neither", async () => {
      const [old, fresh, another] = [newKey(), newKey(), newKey()];
      await engine.store.execute("createKey", { author: author(), key: old });
      const rotate = (key: NewKeyRecord, expiresAt: number, now = T0) =>
        engine.store.execute("rotateKey", { author: author(now), id: old.id, expiresAt, key });
      assert.equal(await rotate(fresh, T0 + 100), "rotated");
      // A second rotation does not prolong the life of the old one.
      assert.equal(await rotate(another, T0 + 500), "rotated");
      assert.deepEqual(await livingKeys(T0 + 99), [old.id, fresh.id, another.id].sort());
      assert.deepEqual(await livingKeys(T0 + 100), [fresh.id, another.id].sort());
      assert.equal(await rotate(newKey(), T0 + 900, T0 + 100), "gone");
      // Its hash is taken: nothing of the rotation is written.
      const clash = {
        author: author(),
        id: fresh.id,
        expiresAt: T0 + 1,
        key: newKey({ hash: another.hash }),
      };
      await assert.rejects(engine.store.execute("rotateKey", clash));
      assert.deepEqual(await livingKeys(T0 + 100), [fresh.id, another.id].sort());
    });

    test("a change of a key changes what it names and nothing else", async () => {
      const key = newKey({
        rate_limit: '{"requests":1,"per":"hour"}',
        event_filter: '{"allow":[],"deny":[]}',
      });
      await engine.store.execute("createKey", { author: author(), key });
      const change = { name: "renamed", rate_limit: null };
      assert.equal(await engine.store.execute("updateKey", { author: author(), id: key.id, change }), true);
      const [stored] = (await engine.store.query("loadAccess", { now: T0 })).keys;
      assert.deepEqual(
        [stored?.name, stored?.rate_limit, stored?.event_filter, stored?.hash],
        ["renamed", null, key.event_filter, key.hash],
      );
    });

    test("there are no more than 2,000 living keys", async () => {
      await Promise.all(
        Array.from({ length: MAX_KEYS }, () =>
          engine.store.execute("createKey", { author: author(), key: newKey({ expires_at: T0 + 10 }) }),
        ),
      );
      const more = (now: number) => engine.store.execute("createKey", { author: author(now), key: newKey() });
      assert.equal(await more(T0 + 9), "too_many");
      assert.equal(await more(T0 + 10), "created");
    });

    test("dead keys are removed once they have been dead for long enough", async () => {
      const [living, revoked, expired] = [newKey(), newKey(), newKey({ expires_at: T0 + 20 })];
      for (const key of [living, revoked, expired])
        await engine.store.execute("createKey", { author: author(), key });
      await engine.store.execute("revokeKey", { author: author(T0 + 10), id: revoked.id });
      const remove = (before: number) => engine.store.execute("removeDeadKeys", { before });
      assert.deepEqual(
        [await remove(T0 + 10), await remove(T0 + 11), await remove(T0 + 20), await remove(FAR)],
        [0, 1, 0, 1],
      );
      assert.deepEqual(await livingKeys(), [living.id]);
    });

    test("an environment is archived when it was not used since, and its settings change one by one", async () => {
      const create = { author: author(), id: "e1", name: "a", type: "branch" } as const;
      await engine.store.execute("createEnvironment", create);
      const used = { now: T0 + 50, environments: ["e1"], keys: [], sessions: [], users: [] };
      await engine.store.execute("touchAccess", used);
      const archive = (unusedSince: number) =>
        engine.store.execute("archiveEnvironment", {
          author: author(),
          id: "e1",
          archived: true,
          unusedSince,
        });
      assert.deepEqual([await archive(T0 + 49), await archive(T0 + 50)], [false, true]);
      const update = (change: UpdateEnvironmentArgs["change"], id = "e1") =>
        engine.store.execute("updateEnvironment", { author: author(), id, change });
      assert.equal(await update({ auto_archive: 0 }), true);
      assert.equal(await update({ max_request_bytes: 5 }), true);
      assert.equal(await update({ max_request_bytes: 5 }, "none"), false);
      const stored = await environmentOf("e1");
      assert.deepEqual([stored?.auto_archive, stored?.max_request_bytes], [0, 5]);
    });

    test("there are no more than 2,000 living environments, and no way round it", async () => {
      const create = (id: string) =>
        engine.store.execute("createEnvironment", { author: author(), id, name: id, type: "branch" });
      const archive = (id: string, archived: boolean) =>
        engine.store.execute("archiveEnvironment", { author: author(), id, archived });
      await Promise.all(Array.from({ length: MAX_ENVIRONMENTS }, (_, i) => create(`e${i}`)));
      assert.equal(await create("one-more"), "too_many");
      assert.equal(await archive("e0", true), true);
      assert.equal(typeof (await create("one-more")), "object");
      assert.equal(await archive("e0", false), "too_many");
      assert.equal(await archive("e1", true), true);
      assert.equal(await archive("e0", false), true);
    });
  });
}
