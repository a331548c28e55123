import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type DiffLine, diffLines, hunksOf } from "./line-diff.ts";

const MARKS = { same: " ", removed: "-", added: "+" };
const shown = (lines: DiffLine[]) => lines.map(({ kind, text }) => MARKS[kind] + text);

/** What the lines make of either text. */
function textOf(lines: DiffLine[], side: "before" | "after"): string {
  return lines
    .filter((line) => line[side] !== null)
    .map(({ text }) => text)
    .join("\n");
}

describe("a diff", () => {
  test("keeps what both texts have, and shows what went before what came", () => {
    assert.deepEqual(shown(diffLines("a\nb\nc", "a\nB\nc")), [" a", "-b", "+B", " c"]);
  });

  test("of a text with itself has no changes", () => {
    assert.ok(diffLines("a\nb", "a\nb").every(({ kind }) => kind === "same"));
  });

  test("is the shortest: a line put in is one line", () => {
    assert.deepEqual(shown(diffLines("a\nb\nc\nd", "a\nx\nb\nc\nd")), [" a", "+x", " b", " c", " d"]);
    assert.deepEqual(
      shown(diffLines("a\nb\nc\na\nb\nb\na", "c\nb\na\nb\na\nc")).filter((line) => line[0] !== " ").length,
      5,
    );
  });

  test("numbers lines as each text has them", () => {
    const [, removed, added, last] = diffLines("a\nb\nc", "a\nB\nc");
    assert.deepEqual([removed!.before, removed!.after, added!.before, added!.after], [2, null, null, 2]);
    assert.deepEqual([last!.before, last!.after], [3, 3]);
  });

  test("gives both texts back, whatever they are", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let round = 0; round < 300; round++) {
      const text = () => Array.from({ length: random(12) }, () => "abc"[random(3)]).join("\n");
      const [before, after] = [text(), text()];
      const lines = diffLines(before, after);
      assert.equal(textOf(lines, "before"), before);
      assert.equal(textOf(lines, "after"), after);
    }
  });

  test("of two long texts without a common line is all of one, then all of the other", () => {
    const many = (letter: string) => Array.from({ length: 3_000 }, (_, i) => letter + i).join("\n");
    const lines = diffLines(many("a"), many("b"));
    assert.equal(lines.length, 6_000);
    assert.equal(lines[2_999]!.kind, "removed");
    assert.equal(lines[3_000]!.kind, "added");
  });
});

describe("hunks", () => {
  test("have lines around each change, and count those left out", () => {
    const before = Array.from({ length: 20 }, (_, i) => `line ${i}`);
    const after = before.with(10, "changed");
    const { hunks, rest } = hunksOf(diffLines(before.join("\n"), after.join("\n")), 2);
    assert.equal(hunks.length, 1);
    assert.equal(hunks[0]!.skipped, 8);
    assert.deepEqual(shown(hunks[0]!.lines), [
      " line 8",
      " line 9",
      "-line 10",
      "+changed",
      " line 11",
      " line 12",
    ]);
    assert.equal(rest, 7);
  });
});
