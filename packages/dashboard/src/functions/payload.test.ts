import assert from "node:assert/strict";
import { test } from "node:test";
import { payloadProblem } from "./payload.ts";

test("only an object of JSON, short enough, can be the data of an event", () => {
  assert.equal(payloadProblem('{"a":1}'), null);
  for (const text of ["[1]", "null", "1", '"text"']) assert.match(payloadProblem(text)!, /must be an object/);
  for (const text of ["", "{", "{a:1}"]) assert.match(payloadProblem(text)!, /not JSON/);
  assert.match(payloadProblem(`{"a":"${"ä".repeat(270_000)}"}`)!, /512 KB/);
});

test("a number that would arrive as null is told before it is sent", () => {
  assert.match(payloadProblem('{"a":[1e400]}')!, /^1e400: .*out of range/);
  assert.equal(payloadProblem('{"a":12345678901234567890}'), null);
});
