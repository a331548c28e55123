import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createRateLimiter, rateLimitSchema, toRateLimit } from "./rate-limit.ts";

const MINUTE = 60_000;

function limiterAt(start = 0, options = {}) {
  const clock = { time: start, now: () => clock.time };
  return { clock, limiter: createRateLimiter(clock, options) };
}

test("as many requests as the limit says are taken at once, and then none", () => {
  const { limiter } = limiterAt();
  const limit = { requests: 3, per_ms: MINUTE };
  const answers = Array.from({ length: 5 }, () => limiter.take("a", limit));
  assert.deepEqual(answers, [0, 0, 0, 20, 20]);
  assert.equal(limiter.take("b", limit), 0);
});

test("tokens come back evenly, and no more of them than the limit", () => {
  const { clock, limiter } = limiterAt();
  const limit = { requests: 2, per_ms: 10_000 };
  const take = (at: number) => {
    clock.time = at;
    return limiter.take("a", limit);
  };
  assert.deepEqual([0, 0, 0, 1_000, 4_999].map(take), [0, 0, 5, 4, 1]);
  assert.deepEqual([5_000, 5_000, 9_999, 10_000].map(take), [0, 5, 1, 0]);
  assert.deepEqual([9_000_000, 9_000_000, 9_000_000].map(take), [0, 0, 5]);
});

test("a limit of many requests a second asks to wait for one whole second", () => {
  const { clock, limiter } = limiterAt();
  const limit = { requests: 1_000_000, per_ms: 1_000 };
  for (let i = 0; i < 1_000_000; i++) assert.equal(limiter.take("a", limit), 0);
  assert.equal(limiter.take("a", limit), 1);
  clock.time += 1;
  for (let i = 0; i < 1_000; i++) assert.equal(limiter.take("a", limit), 0);
  assert.equal(limiter.take("a", limit), 1);
});

test("a changed limit counts at once", () => {
  const { limiter } = limiterAt();
  const few = { requests: 2, per_ms: 3_600_000 };
  const many = { requests: 5, per_ms: 3_600_000 };
  const fast = { requests: 2, per_ms: 1_000 };
  const take = (limit: typeof few) => limiter.take("a", limit);
  assert.deepEqual([few, few, few].map(take), [0, 0, 1_800]);
  assert.deepEqual([many, many, many, many].map(take), [0, 0, 0, 720]);
  assert.deepEqual([few, fast].map(take), [1_800, 1]);
});

test("a clock that steps back gives no tokens and takes none", () => {
  const { clock, limiter } = limiterAt(1_000_000);
  const limit = { requests: 1, per_ms: 1_000 };
  assert.equal(limiter.take("a", limit), 0);
  clock.time = 0;
  assert.equal(limiter.take("a", limit), 1);
  clock.time = 1_000;
  assert.equal(limiter.take("a", limit), 0);
});

test("buckets that are full again are dropped as others come", () => {
  const { clock, limiter } = limiterAt();
  const limit = { requests: 10, per_ms: 1_000 };
  for (let i = 0; i < 50_000; i++) {
    clock.time += 1;
    limiter.take(`client ${i}`, limit);
  }
  // Each is full again after 100 ms.
  assert.ok(limiter.size() < 500, String(limiter.size()));
});

test("there are never more buckets than the bound, and a limit holds while it is not reached", () => {
  const { limiter } = limiterAt(0, { maxBuckets: 100 });
  const limit = { requests: 1, per_ms: MINUTE };
  for (let i = 0; i < 100; i++) assert.equal(limiter.take(`client ${i}`, limit), 0);
  for (let i = 0; i < 100; i++) assert.equal(limiter.take(`client ${i}`, limit), 60);
  for (let i = 0; i < 5_000; i++) {
    limiter.take(`other ${i}`, limit);
    assert.ok(limiter.size() <= 100);
  }
  // The newest is in.
  assert.equal(limiter.take("other 4999", limit), 60);
});

const limits = fc.record({
  requests: fc.integer({ min: 1, max: 30 }),
  per_ms: fc.constantFrom(1_000, MINUTE),
});

test("in any stretch of time no more pass than a full bucket and what flows in", () => {
  fc.assert(
    fc.property(limits, fc.array(fc.nat({ max: 5_000 }), { maxLength: 200 }), (limit, pauses) => {
      const { clock, limiter } = limiterAt();
      const passed: number[] = [];
      for (const pause of pauses) {
        clock.time += pause;
        if (limiter.take("a", limit) === 0) passed.push(clock.time);
        for (let from = 0; from < passed.length; from++) {
          const stretch = clock.time - passed[from]!;
          const most = limit.requests + (stretch * limit.requests) / limit.per_ms;
          assert.ok(passed.length - from <= most + 1e-6);
        }
      }
    }),
  );
});

test("whoever waits as long as told is let in, and a second less is too short", () => {
  fc.assert(
    fc.property(
      limits,
      fc.array(fc.nat({ max: 3_000 }), { minLength: 1, maxLength: 60 }),
      (limit, pauses) => {
        const { clock, limiter } = limiterAt();
        for (const pause of pauses) {
          clock.time += pause;
          const wait = limiter.take("a", limit);
          if (wait === 0) continue;
          assert.ok(Number.isInteger(wait));
          clock.time += (wait - 1) * 1_000;
          if (wait > 1) assert.equal(limiter.take("a", limit), 1);
          clock.time += 1_000;
          assert.equal(limiter.take("a", limit), 0);
        }
      },
    ),
  );
});

test("the API's form of a limit is checked, and turned into the limiter's", () => {
  assert.deepEqual(toRateLimit({ requests: 5, per: "hour" }), { requests: 5, per_ms: 3_600_000 });
  assert.deepEqual(toRateLimit({ requests: 5, per: "minute" }), { requests: 5, per_ms: 60_000 });
  assert.deepEqual(toRateLimit({ requests: 5, per: "second" }), { requests: 5, per_ms: 1_000 });
  for (const good of [null, { requests: 1, per: "second" }, { requests: 1_000_000, per: "hour" }]) {
    assert.deepEqual(rateLimitSchema.parse(good), good);
  }
  const bad = [
    undefined,
    {},
    { requests: 0, per: "second" },
    { requests: 1.5, per: "second" },
    { requests: 1_000_001, per: "second" },
    { requests: 1, per: "day" },
    { requests: 1, per: "second", burst: 5 },
  ];
  for (const value of bad)
    assert.equal(rateLimitSchema.safeParse(value).success, false, JSON.stringify(value));
});
