import assert from "node:assert/strict";
import { test } from "node:test";
import { manualClock } from "../../test/manual-clock.ts";
import { createRefresh } from "./refresh.ts";

/** A store of one value whose reads are answered by hand. */
function setUp() {
  const clock = manualClock(0);
  const reads: PromiseWithResolvers<string>[] = [];
  let copy = "";
  const { reload: refresh, apply } = createRefresh<string>({
    clock,
    read() {
      const reading = Promise.withResolvers<string>();
      reads.push(reading);
      return reading.promise;
    },
    take(value) {
      if (value === "unreadable") throw new Error("cannot be taken");
      copy = value;
    },
  });
  const add = (word: string) =>
    apply(() => {
      if (!copy.includes(word)) copy += word;
    });
  return { clock, reads, refresh, add, copy: () => copy };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("the read that was asked for last wins, whichever comes first", async () => {
  const { reads, refresh, copy } = setUp();
  const both = [refresh(), refresh()];
  reads[1]!.resolve("new");
  reads[0]!.resolve("old");
  await Promise.all(both);
  assert.equal(copy(), "new");
});

test("what cannot be taken is told, and read again", async () => {
  const { clock, reads, refresh, copy } = setUp();
  const asked = refresh();
  reads[0]!.resolve("unreadable");
  await assert.rejects(asked, /cannot be taken/);
  clock.advance(1_000);
  reads[1]!.resolve("mended");
  await settled();
  assert.equal(copy(), "mended");
});

test("a read that fails is told, and made again until one works", async () => {
  const { clock, reads, refresh, copy } = setUp();
  const asked = refresh();
  reads[0]!.reject(new Error("no reader"));
  await assert.rejects(asked, /no reader/);
  clock.advance(1_000);
  reads[1]!.reject(new Error("still none"));
  await settled();
  clock.advance(1_000);
  reads[2]!.resolve("revoked");
  await settled();
  assert.equal(copy(), "revoked");
  clock.advance(60_000);
  assert.equal(reads.length, 3);
});

test("a failure that a later read has made good is not tried again", async () => {
  const { clock, reads, refresh, copy } = setUp();
  const [first, second] = [refresh(), refresh()];
  reads[1]!.resolve("new");
  await second;
  reads[0]!.reject(new Error("late"));
  await assert.rejects(first, /late/);
  clock.advance(60_000);
  assert.deepEqual([reads.length, copy()], [2, "new"]);
});

test("a change holds at once, and after reads that had not seen it", async () => {
  const { reads, refresh, add, copy } = setUp();
  const both = [refresh(), refresh()];
  add(" ada");
  assert.equal(copy(), " ada");
  reads[0]!.resolve("old");
  await both[0];
  assert.equal(copy(), "old ada");
  reads[1]!.resolve("seen ada");
  await both[1];
  assert.equal(copy(), "seen ada");
});

test("a change is not made again after a read that was asked for later: what has ended since stays so", async () => {
  const { reads, refresh, add, copy } = setUp();
  const before = refresh();
  add(" ada");
  const later = refresh();
  reads[1]!.resolve("without");
  await later;
  assert.equal(copy(), "without");
  reads[0]!.resolve("old");
  await before;
  assert.equal(copy(), "without");
});

test("a change is forgotten once no read is under way, also one that failed", async () => {
  const { clock, reads, refresh, add, copy } = setUp();
  const failing = refresh();
  add(" ada");
  reads[0]!.reject(new Error("no reader"));
  await assert.rejects(failing, /no reader/);
  assert.equal(copy(), " ada");
  clock.advance(1_000);
  reads[1]!.resolve("without");
  await settled();
  assert.equal(copy(), "without");
});
