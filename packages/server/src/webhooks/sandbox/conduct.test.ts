import assert from "node:assert/strict";
import { test } from "node:test";
import { createConduct } from "./conduct.ts";

function begin() {
  const clock = { time: 1_000_000, now: () => clock.time };
  const conduct = createConduct(clock);
  const runOut = (kind: "timeout" | "memory" = "timeout", version = 1) => {
    assert.equal(conduct.admit("w", version), null);
    conduct.ended("w", version, kind, 1_000);
  };
  return { clock, conduct, runOut };
}

test("five calls in a row that run out pause a webhook for ten seconds, and only that one", () => {
  const { clock, conduct, runOut } = begin();
  for (let n = 0; n < 4; n++) runOut(n % 2 === 0 ? "timeout" : "memory");
  assert.equal(conduct.admit("w", 1), null);
  conduct.ended("w", 1, "timeout", 1_000);
  assert.equal(conduct.admit("w", 1), clock.time + 10_000);
  assert.equal(conduct.pausedUntil("w", 1), clock.time + 10_000);
  assert.equal(conduct.admit("other", 1), null);
});

test("one call is tried after the pause; the pause doubles with each that runs out, up to five minutes", () => {
  const { clock, conduct, runOut } = begin();
  for (let n = 0; n < 5; n++) runOut();
  for (const pause of [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) {
    clock.time += pause - 1;
    assert.notEqual(conduct.admit("w", 1), null);
    clock.time += 1;
    assert.equal(conduct.admit("w", 1), null);
    assert.notEqual(conduct.admit("w", 1), null, "while one call is tried others are not");
    conduct.ended("w", 1, "timeout", 1_000);
  }
});

test("a call that ends in time ends the pauses", () => {
  const { clock, conduct, runOut } = begin();
  for (let n = 0; n < 5; n++) runOut();
  clock.time += 10_000;
  assert.equal(conduct.admit("w", 1), null);
  conduct.ended("w", 1, null, 1);
  for (let n = 0; n < 4; n++) runOut();
  assert.equal(conduct.admit("w", 1), null);
});

test("an error of the code is no running out, and it begins the count anew", () => {
  const { conduct, runOut } = begin();
  for (let n = 0; n < 4; n++) runOut();
  conduct.ended("w", 1, "runtime", 1);
  for (let n = 0; n < 4; n++) runOut();
  assert.equal(conduct.admit("w", 1), null);
});

test("calls that run out now and then pause nothing", () => {
  const { clock, conduct, runOut } = begin();
  for (let n = 0; n < 20; n++) {
    runOut();
    clock.time += 16_000;
  }
  assert.equal(conduct.admit("w", 1), null);
});

test("a call to try that did not come about can be tried again", () => {
  const { clock, conduct, runOut } = begin();
  for (let n = 0; n < 5; n++) runOut();
  clock.time += 10_000;
  assert.equal(conduct.admit("w", 1), null);
  conduct.notCalled("w");
  assert.equal(conduct.admit("w", 1), null);
});

test("a new version begins with a clean record, whatever of the old one is still to end", () => {
  const { conduct, runOut } = begin();
  for (let n = 0; n < 5; n++) runOut();
  assert.notEqual(conduct.admit("w", 1), null);
  assert.equal(conduct.admit("w", 2), null);
  for (let n = 0; n < 9; n++) conduct.ended("w", 1, "timeout", 1_000);
  assert.equal(conduct.admit("w", 2), null);
});

test("a webhook is slow once it was seen to be, and until it has been fast for a while", () => {
  const { conduct, runOut } = begin();
  conduct.admit("w", 1);
  conduct.tookLong("w");
  assert.equal(conduct.paceOf("w"), "slow");
  conduct.ended("w", 1, null, 1_000);
  conduct.ended("w", 1, null, 1);
  assert.equal(conduct.paceOf("w"), "slow");
  for (let n = 0; n < 20; n++) conduct.ended("w", 1, null, 1);
  assert.equal(conduct.paceOf("w"), "fast");
  runOut("memory");
  assert.equal(conduct.paceOf("w"), "slow");
});

test("a webhook is new until a call of its version has ended", () => {
  const { conduct } = begin();
  assert.equal(conduct.paceOf("w"), "new");
  conduct.admit("w", 1);
  assert.equal(conduct.paceOf("w"), "new");
  conduct.ended("w", 1, null, 1);
  assert.equal(conduct.paceOf("w"), "fast");
  conduct.admit("w", 2);
  assert.equal(conduct.paceOf("w"), "new");
});

test("it remembers a bounded number of webhooks", () => {
  const { conduct } = begin();
  conduct.tookLong("first");
  for (let n = 0; n < 10_000; n++) conduct.admit(`w ${n}`, 1);
  assert.equal(conduct.paceOf("first"), "new");
});
