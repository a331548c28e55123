import assert from "node:assert/strict";
import { test } from "node:test";
import { LOG_LIMITS } from "@svc/protocol";
import { MAX_LOGS_LENGTH, parseLogLines, readLogLines, runLogs } from "./log-lines.ts";

const NOW = 1_000;
const line = (text: string, more: object = {}) => ({ at: 5, level: "info", text, ...more });

test("good lines are taken as they are, and what they carry besides is not", () => {
  const lines = [line("a"), line("b", { step: "hash", level: "error" })];
  assert.deepEqual(readLogLines([...lines], NOW), lines);
  assert.deepEqual(readLogLines([line("a", { at: 5.7, more: "x", __proto__: null })], NOW), [line("a")]);
});

test("malformed lines are left out, and a last line says how many", () => {
  const bad = [
    null,
    1,
    "text",
    [],
    {},
    line("level", { level: "fatal" }),
    line("level", { level: "constructor" }),
    line("text", { text: { toString: "x" } }),
    ...[-1, 1e17, "5", null].map((at) => line("at", { at })),
  ];
  const [good, note, ...rest] = readLogLines([...bad, line("good")], NOW);
  assert.equal(good!.text, "good");
  assert.deepEqual(note, {
    at: 5,
    level: "warn",
    text: "12 lines were not kept: malformed, or more than a report may have.",
  });
  assert.deepEqual(rest, []);
  assert.equal(readLogLines([null], NOW)[0]!.at, NOW);
});

test("a step that is no hash is left out of its line", () => {
  for (const step of [1, "", "two words", "x".repeat(300), null]) {
    assert.deepEqual(readLogLines([line("a", { step })], NOW), [line("a")]);
  }
});

test("a report keeps to its bounds, whatever it was sent with", () => {
  const long = readLogLines([line("x".repeat(1e6))], NOW)[0]!.text;
  assert.deepEqual([long.length, long.at(-1)], [LOG_LIMITS.characters, "…"]);
  const many = readLogLines(Array(500_000).fill(line("x")), NOW);
  assert.equal(many.length, LOG_LIMITS.lines + 2);
  assert.match(many.at(-1)!.text, /^499799 lines were not kept/);
  const wide = readLogLines(Array(200).fill(line("é".repeat(4_000))), NOW);
  assert.equal(wide.length, 7);
  assert.match(wide.at(-1)!.text, /^194 lines were not kept/);
});

test("what the SDK sends at its own bounds is kept whole, with the line that tells what it left out", () => {
  const lines = Array.from({ length: 200 }, () => line("x".repeat(245)));
  const note = { at: 6, level: "warn", text: "3 more lines were left out." };
  assert.deepEqual(readLogLines([...lines, note], NOW), [...lines, note]);
});

test("lines are dropped, with a word about it, when their JSON is too long or none", () => {
  assert.match(parseLogLines(`[${" ".repeat(MAX_LOGS_LENGTH)}]`, NOW)[0]!.text, /longer than may be/);
  assert.match(parseLogLines('[{"at":1]', NOW)[0]!.text, /not JSON/);
  assert.deepEqual(parseLogLines(`${"[".repeat(50_000)}${"]".repeat(50_000)}`, NOW).length, 1);
  const escaped = JSON.stringify(Array.from({ length: 12 }, () => line("\u0000".repeat(4_000))));
  assert.equal(parseLogLines(escaped, NOW).length, 12);
  for (const none of [undefined, null, {}, "x"]) assert.deepEqual(readLogLines(none, NOW), []);
});

test("the store gets lines as text with their number, and nothing when there are none", () => {
  assert.equal(runLogs([], 0), undefined);
  const lines = readLogLines([line("a"), line("b")], NOW);
  assert.deepEqual(runLogs(lines, 2), { attempt: 2, count: 2, text: JSON.stringify(lines) });
});
