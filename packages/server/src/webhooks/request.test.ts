import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalHeaders } from "./canonical-headers.ts";
import { namedBranch, transformArguments } from "./request.ts";

const payload = (body: string, headers: Record<string, string>, query = "") => ({
  query,
  headers: JSON.stringify(canonicalHeaders(Object.entries(headers).flat())),
  body,
  body_encoding: "utf8" as const,
});

test("a query becomes arrays of values, and no query an empty object", () => {
  assert.equal(transformArguments(payload("", {}, "a=1&b=&a=2")).queryParams, '{"a":["1","2"],"b":[""]}');
  assert.equal(transformArguments(payload("", {})).queryParams, "{}");
});

test("a binary body is base64, and a header says so, whatever the sender's said", () => {
  const bytes = Buffer.from([0xff, 0x00, 0x80]);
  const kept = { ...payload("", { "x-svc-body-encoding": "none" }), body: bytes.toString("base64") };
  const input = transformArguments({ ...kept, body_encoding: "base64" });
  assert.deepEqual(Buffer.from(input.raw, "base64"), bytes);
  assert.deepEqual(JSON.parse(input.headers), { "X-Svc-Body-Encoding": "base64" });
});

test("a sender cannot say of a text that it is base64", () => {
  for (const name of ["x-svc-body-encoding", "X-SVC-Body-Encoding"]) {
    const { headers } = transformArguments(payload('{"a":1}', { [name]: "base64", accept: "*/*" }));
    assert.deepEqual(JSON.parse(headers), { Accept: "*/*" });
  }
});

test("a header called __proto__ is a header like any other", () => {
  const { headers } = transformArguments({
    ...payload("", {}),
    headers: '{"__proto__":"x","X-Svc-Body-Encoding":"base64"}',
  });
  assert.equal(headers, '{"__proto__":"x"}');
});

test("a branch is named by the query, else by the header, else not at all", () => {
  const headers = { "X-Svc-Env": "by-header", "X-Inngest-Env": "by-other-header" };
  assert.equal(namedBranch("x-svc-env=by%2Fquery", headers), "by/query");
  assert.equal(namedBranch("a=1", headers), "by-header");
  assert.equal(namedBranch("x-svc-env=", headers), "by-header");
  assert.equal(namedBranch("", { "X-Inngest-Env": "by-other-header" }), "by-other-header");
  assert.equal(namedBranch("x-svc-env", {}), null);
  assert.equal(namedBranch("y-x-svc-env=1", {}), null);
});

test("a name too long for any branch is cut", () => {
  assert.equal(namedBranch(`x-svc-env=${"b".repeat(5_000)}`, {})?.length, 200);
});
