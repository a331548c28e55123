import assert from "node:assert/strict";
import { test } from "node:test";
import { clientKey, createAttemptLimit } from "./attempt-limit.ts";

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
