import assert from "node:assert/strict";
import { test } from "node:test";
import { manualClock } from "../../test/manual-clock.ts";
import { createRefresh } from "./refresh.ts";

/** A store of one value whose reads are answered by hand. */
function setUp() {
  const clock = manualClock(0);
  const reads: PromiseWithResolvers<string>[] = [];
  let copy = "";
  const refresh = createRefresh<string>({
    clock,
    read() {
      const reading = Promise.withResolvers<string>();
      reads.push(reading);
      return reading.promise;
    },
    take(value) {
      copy = value;
    },
  });
  return { clock, reads, refresh, copy: () => copy };
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
