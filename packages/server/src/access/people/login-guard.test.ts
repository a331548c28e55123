import assert from "node:assert/strict";
import { test } from "node:test";
import { createUlidGenerator } from "@svc/protocol";
import { manualClock } from "../../../test/manual-clock.ts";
import { silentLogger } from "../../observe/log.ts";
import type { RecordRefusedLoginsArgs } from "../../store/commands/record-refused-logins.ts";
import { createLoginGuard, REFUSALS_WRITTEN_EVERY_MS } from "./login-guard.ts";

function open() {
  const clock = manualClock(1_700_000_000_000);
  const written: RecordRefusedLoginsArgs[] = [];
  const store = {
    async execute(_name: string, args: unknown) {
      written.push(args as RecordRefusedLoginsArgs);
      return undefined as never;
    },
  };
  const guard = createLoginGuard({ store, clock, logger: silentLogger, nextId: createUlidGenerator() });
  const attempt = (account: string | null, address: string, result: unknown, user = account) =>
    guard.attempt({ account, user, address }, async () => result);
  return { clock, written, guard, attempt };
}

test("an account is locked after ten wrong passwords, from wherever, and opens again by itself", async () => {
  const { clock, attempt } = open();
  for (let i = 0; i < 10; i++) assert.equal(await attempt("ada", `203.0.113.${i}`, null), null);
  await assert.rejects(attempt("ada", "203.0.113.99", "in"), { code: "rate_limited" });
  assert.equal(await attempt("bob", "203.0.113.99", "in"), "in");
  clock.advance(15 * 60_000);
  assert.equal(await attempt("ada", "203.0.113.99", "in"), "in");
});

test("an address is locked after fifty, for every account", async () => {
  const { attempt } = open();
  for (let i = 0; i < 50; i++) await attempt(`user-${i}`, "203.0.113.1", null);
  await assert.rejects(attempt("ada", "203.0.113.1", "in"), { code: "rate_limited" });
  assert.equal(await attempt("ada", "203.0.113.2", "in"), "in");
});

test("a right password, and what went wrong on our side, count as nothing", async () => {
  const { guard, attempt } = open();
  const who = { account: "ada", user: "ada", address: "203.0.113.1" };
  for (let i = 0; i < 100; i++) {
    const work = async () => {
      throw new Error("the disk is full");
    };
    await assert.rejects(guard.attempt(who, work), /disk/);
    assert.equal(await attempt("ada", "203.0.113.1", "in"), "in");
  }
  for (let i = 0; i < 9; i++) await attempt("ada", "203.0.113.1", null);
  await attempt("ada", "203.0.113.1", "in");
  for (let i = 0; i < 10; i++) assert.equal(await attempt("ada", "203.0.113.1", null), null, "counted anew");
});

test("many attempts at once are as bounded as those after each other", async () => {
  const { guard } = open();
  let tried = 0;
  const who = { account: "ada", user: null, address: "203.0.113.1" };
  const all = Array.from({ length: 40 }, () =>
    guard.attempt(who, async () => {
      tried++;
      await new Promise(setImmediate);
      return null;
    }),
  );
  await Promise.allSettled(all);
  assert.equal(tried, 10);
});

test("however many are refused, the audit log gets one entry a minute, which names few", async () => {
  const { clock, written, attempt, guard } = open();
  for (let i = 0; i < 500; i++) {
    await attempt(`user-${i}`, `203.0.${i % 200}.1`, null, i % 2 === 0 ? `user-${i}` : null).catch(() => {});
  }
  assert.equal(written.length, 0);
  clock.advance(REFUSALS_WRITTEN_EVERY_MS);
  assert.equal(written.length, 1);
  assert.equal(written[0]!.count, 500);
  assert.deepEqual(written[0]!.users, ["user-0", "user-2", "user-4", "user-6", "user-8"]);
  assert.equal(written[0]!.addresses.length, 5);
  clock.advance(10 * REFUSALS_WRITTEN_EVERY_MS);
  assert.equal(written.length, 1, "nothing happened, nothing is written");
  await attempt("ada", "203.0.113.9", null);
  await guard.stop();
  assert.deepEqual([written.length, written[1]!.author.address], [2, "203.0.113.9"]);
  clock.advance(REFUSALS_WRITTEN_EVERY_MS);
  assert.equal(written.length, 2);
});
