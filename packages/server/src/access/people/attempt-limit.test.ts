import assert from "node:assert/strict";
import { test } from "node:test";
import { clientKey, createAttemptLimit } from "./attempt-limit.ts";

test("attempts are bounded per key, until the window ends", () => {
  let now = 0;
  const limit = createAttemptLimit({ limit: 2, windowMs: 10_000, now: () => now });
  limit.take("a");
  now = 4_000;
  limit.take("a");
  assert.throws(() => limit.take("a"), { code: "rate_limited", detail: { retry_after: 6 } });
  limit.take("b");
  now = 10_000;
  limit.take("a");
});

test("what is given back or cleared does not count", () => {
  const limit = createAttemptLimit({ limit: 1, windowMs: 10_000, now: () => 0 });
  for (let i = 0; i < 5; i++) {
    limit.take("a");
    limit.giveBack("a");
  }
  limit.take("a");
  limit.clear("a");
  limit.take("a");
  assert.throws(() => limit.take("a"), { code: "rate_limited" });
  limit.giveBack("never seen");
});

test("of too many keys the oldest is forgotten, and of those that are over all", () => {
  let now = 0;
  const limit = createAttemptLimit({ limit: 1, windowMs: 10_000, now: () => now, maxKeys: 3 });
  for (const key of ["a", "b", "c", "d"]) limit.take(key);
  limit.take("a");
  assert.throws(() => limit.take("d"), { code: "rate_limited" });
  now = 10_000;
  for (const key of ["e", "f", "g"]) limit.take(key);
  assert.throws(() => limit.take("e"), { code: "rate_limited" }, "there was room for all three");
});

test("a client is its IPv4 address, or the /64 of its IPv6 address", () => {
  assert.equal(clientKey("203.0.113.7"), "203.0.113.7");
  assert.equal(clientKey("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  assert.equal(clientKey("2001:db8:1:2::9"), clientKey("2001:DB8:1:2:ffff::"));
  assert.notEqual(clientKey("2001:db8:1:3::9"), clientKey("2001:db8:1:2::9"));
  assert.equal(clientKey(""), "");
  assert.equal(clientKey("unknown"), "unknown");
});

const limited = { code: "rate_limited" };

test("so many attempts are let through in a window, and as many in the next one", () => {
  let now = 0;
  const limit = createAttemptLimit({ limit: 2, windowMs: 1_000, now: () => now });
  limit.take("ada");
  limit.take("ada");
  assert.throws(() => limit.take("ada"), { ...limited, detail: { retry_after: 1 } });
  limit.take("bob");
  now = 1_000;
  limit.take("ada");
});

test("an attempt that was none is given back, one that succeeded clears the others", () => {
  const limit = createAttemptLimit({ limit: 2, windowMs: 1_000, now: () => 0 });
  limit.take("ada");
  limit.take("ada");
  limit.giveBack("ada");
  limit.take("ada");
  assert.throws(() => limit.take("ada"), limited);
  limit.clear("ada");
  limit.take("ada");
});

test("attempts that are given back, however many, make nobody else's forgotten", () => {
  const limit = createAttemptLimit({ limit: 1, windowMs: 1_000, now: () => 0, maxKeys: 10 });
  limit.take("ada");
  for (let i = 0; i < 100; i++) {
    limit.take(`made up ${i}`);
    limit.giveBack(`made up ${i}`);
  }
  assert.throws(() => limit.take("ada"), limited);
});

test("one customer of IPv6 is one client, whichever address it takes", () => {
  assert.equal(clientKey("2001:db8:1:2:3:4:5:6"), clientKey("2001:DB8:1:2::9"));
  assert.notEqual(clientKey("2001:db8:1:2::1"), clientKey("2001:db8:1:3::1"));
  assert.equal(clientKey("203.0.113.7"), "203.0.113.7");
});
