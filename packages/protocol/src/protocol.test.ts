import assert from "node:assert/strict";
import { test } from "node:test";
import * as p from "./index.ts";

test("a step id hashes as the recorded clients hash it", () => {
  assert.equal(p.hashStepId("first step"), "98bf98df193bcce7c33e6bc50927cf2ac21206cb");
  assert.equal(p.hashStepId("a", 1), p.sha1("a:1"));
});
test("a seed gives the id that was recorded for it", () => {
  const seed = p.parseEventIdSeed("1795239646449,z42AbGmmMpYgCg==")!;
  assert.equal(p.seededEventId(seed, 0), "01M7Y9Y57HSY6R0V39MRS9C80B");
  assert.equal(p.formatEventIdSeed(seed), "1795239646449,z42AbGmmMpYgCg==");
});
test("a signing key hashes to the recorded bearer token", async () => {
  assert.equal(
    await p.hashSigningKey("abcdef0123456789abcdef0123456789"),
    "3e4ca04a7a69cf22ada1ccc20cdec2f6d8c098e94e5776f47407b289c9e38a5c",
  );
});
test("ids go up within a millisecond and when the clock steps back", () => {
  const next = p.createUlidGenerator();
  const ids = [5, 5, 4, 6, 6, 1].map((now) => next(now));
  assert.deepEqual([...ids].sort(), ids);
  assert.ok(ids.every(p.isUlid));
  assert.equal(p.ulidTime(ids[0]!), 5);
});
test("canonical JSON sorts keys at every depth and drops spaces", () => {
  const value = JSON.parse('{"b":[{"z":1,"a":null}],"a":"\\u20ac","__proto__":{"x":1},"10":1e30}');
  assert.equal(p.canonicalJson(value), '{"10":1e+30,"__proto__":{"x":1},"a":"€","b":[{"a":null,"z":1}]}');
});
