import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogLevel, LogLine } from "../api/types.ts";
import { choicesOf, levelOf, linesFrom, linesText } from "./log-lines.ts";

const line = (level: LogLevel, text: string, step_id: string | null = null): LogLine => ({
  at: "2026-05-01T12:00:00.000Z",
  level,
  text,
  step_id,
  attempt: 0,
});
const lines = [line("debug", "a"), line("error", "b"), line("info", "c")];
const texts = (level?: LogLevel) => linesFrom(lines, level).map(({ text }) => text);

test("a level shows its lines and those above it, in their order", () => {
  assert.deepEqual(texts(), ["a", "b", "c"]);
  assert.deepEqual(texts("debug"), ["a", "b", "c"]);
  assert.deepEqual(texts("info"), ["b", "c"]);
  assert.deepEqual(texts("warn"), ["b"]);
});

test("an address that names no level shows all", () => {
  assert.deepEqual(["warn", "fatal", "", undefined].map(levelOf), ["warn", undefined, undefined, undefined]);
});

test("only levels that make a difference are offered", () => {
  assert.deepEqual(choicesOf(lines), ["info", "warn", "error"]);
  assert.deepEqual(choicesOf([line("info", "a"), line("info", "b")]), []);
  assert.deepEqual(choicesOf([line("info", "a"), line("warn", "b")]), ["warn"]);
  assert.deepEqual(choicesOf([]), []);
});

test("copied lines carry time, level and the name of their step", () => {
  const names = new Map([["hash", "charge"]]);
  assert.equal(
    linesText([line("info", "a"), line("error", "b\nc", "hash"), line("warn", "d", "0123456789")], names),
    "2026-05-01T12:00:00.000Z info  a\n2026-05-01T12:00:00.000Z error [charge] b\nc\n2026-05-01T12:00:00.000Z warn  [01234567] d\n",
  );
});
