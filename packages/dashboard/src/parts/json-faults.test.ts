import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonFaults } from "./json-faults.ts";

const found = (text: string) =>
  jsonFaults(text).map(({ from, to, severity }) => `${severity} ${text.slice(from, to)}`);

test("a number that no double can hold is an error", () => {
  assert.deepEqual(found('{"a":1e400,"b":[-1e999]}'), ["error 1e400", "error -1e999"]);
});

test("a number that loses digits is a warning that says what becomes of it", () => {
  const text = '{"id": 12345678901234567890, "pi": 3.14159265358979323846, "tiny": 1e-400}';
  assert.deepEqual(found(text), [
    "warning 12345678901234567890",
    "warning 3.14159265358979323846",
    "warning 1e-400",
  ]);
  assert.match(jsonFaults(text)[0]!.message, /becomes 12345678901234567000\./);
});

test("numbers that are only written in another way are no fault, nor are digits in texts", () => {
  const same = "[1.0, -0, 0.1, 1e3, 1E+3, 10e-1, 9007199254740992, 0.30000000000000004, 1e21, 5e-324, 0e9]";
  assert.deepEqual(found(same), []);
  assert.deepEqual(found('{"12345678901234567890":"1e400, \\"1e400\\""}'), []);
});

test("a member that is there twice is told, in its own object only", () => {
  assert.deepEqual(found('{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}],"\\u0061":5}'), ['warning "\\u0061"']);
  assert.deepEqual(found('{"__proto__":1,"__proto__":2,"toString":3}'), ['warning "__proto__"']);
});

test("a text full of faults tells of the first twenty", () => {
  assert.equal(found(`[${"1e999,".repeat(500)}1]`).length, 20);
});
