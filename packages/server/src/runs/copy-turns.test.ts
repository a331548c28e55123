import assert from "node:assert/strict";
import { test } from "node:test";
import { createCopyTurns } from "./copy-turns.ts";

/** Copies that go on until they are told to end, and those that have begun. */
function copies(options: { atOnce: number; waiting: number }) {
  const turns = createCopyTurns(options);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const copy = (name: string, bytes: number) => {
    const end = Promise.withResolvers<string>();
    ends.set(name, end);
    return turns(bytes, () => {
      begun.push(name);
      return end.promise;
    });
  };
  return { copy, begun, end: (name: string) => ends.get(name)! };
}

test("small copies are made side by side, a large one alone, all in their order", async () => {
  const { copy, begun, end } = copies({ atOnce: 10_000, waiting: 1_000_000 });
  const all = [copy("a", 5_000), copy("b", 5_000), copy("large", 90_000), copy("c", 5_000)];
  await Promise.resolve();
  assert.deepEqual(begun, ["a", "b"]);
  end("a").resolve("a");
  await all[0];
  assert.deepEqual(begun, ["a", "b"]);
  end("b").resolve("b");
  await all[1];
  await Promise.resolve();
  assert.deepEqual(begun, ["a", "b", "large"]);
  end("large").resolve("large");
  end("c").resolve("c");
  assert.deepEqual(await Promise.all(all), ["a", "b", "large", "c"]);
});

test("a copy that fails makes room, and what is too much to wait is refused", async () => {
  const { copy, begun, end } = copies({ atOnce: 10_000, waiting: 50_000 });
  const first = copy("first", 40_000);
  const second = copy("second", 40_000);
  await assert.rejects(copy("third", 40_000), { code: "rate_limited" });
  end("first").reject(new Error("the disk is full"));
  await assert.rejects(first, /disk is full/);
  const fourth = copy("fourth", 40_000);
  end("second").resolve("second");
  end("fourth").resolve("fourth");
  assert.deepEqual(await Promise.all([second, fourth]), ["second", "fourth"]);
  assert.deepEqual(begun, ["first", "second", "fourth"]);
});

test("one copy is made however large it is", async () => {
  const { copy, end } = copies({ atOnce: 1, waiting: 1 });
  const only = copy("only", 1_000_000);
  end("only").resolve("only");
  assert.equal(await only, "only");
});
