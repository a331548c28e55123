import assert from "node:assert/strict";
import { test } from "node:test";
import { type Clock, systemClock } from "../../clock.ts";
import { ServiceError } from "../../errors.ts";
import type { TransformJob, TransformOutcome } from "./outcome.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";

const GOOD = "function transform(evt) { return { name: 'a', data: evt }; }";
const ENDLESS = "function transform() { for (;;); }";
/** Nothing in it asks whether it should stop: only the end of its thread ends it. */
const DEAF = "function transform() { const a = []; a.length = 2 ** 32 - 1; return a.sort().length; }";

const job = (webhookId: string, source = GOOD, more: Partial<TransformJob> = {}): TransformJob => ({
  webhookId,
  version: 1,
  source,
  evt: "{}",
  headers: "{}",
  queryParams: "{}",
  raw: "",
  ...more,
});

/** Run a test with a sandbox that is closed after it. */
function withSandbox(options: SandboxOptions, body: (sandbox: Sandbox) => Promise<void>) {
  return async () => {
    const sandbox = createSandbox(options);
    try {
      await body(sandbox);
    } finally {
      await sandbox.close();
    }
  };
}

const kindOf = (outcome: TransformOutcome) =>
  outcome.status === "failed" ? outcome.error.kind : outcome.status;

/** The system's clock, which can be put forward. */
function shiftedClock(): Clock & { shift: number } {
  const clock = { shift: 0, now: () => systemClock.now() + clock.shift, after: systemClock.after };
  return clock;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

test("no thread is started before the first call, and each of many calls has its own answer", () =>
  withSandbox({}, async (sandbox) => {
    assert.deepEqual(sandbox.stats(), { waiting: 0, running: 0, threads: [] });
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, (_, n) => sandbox.run(job(`w ${n % 7}`, GOOD, { evt: `{"n":${n}}` }))),
    );
    for (const [n, outcome] of outcomes.entries()) {
      assert.ok(outcome.status === "returned");
      assert.equal(outcome.value, `{"name":"a","data":{"n":${n}}}`);
    }
    assert.notEqual(sandbox.stats().threads.length, 0);
    assert.equal(sandbox.backlog(), 0);
  })());

test("more webhooks than a thread keeps are all called with their own code", () =>
  withSandbox({}, async (sandbox) => {
    for (let round = 0; round < 2; round++) {
      const outcomes = await Promise.all(
        Array.from({ length: 130 }, (_, n) => sandbox.run(job(`w ${n}`, `const transform = () => ${n};`))),
      );
      for (const [n, outcome] of outcomes.entries()) {
        assert.ok(outcome.status === "returned");
        assert.equal(outcome.value, String(n));
      }
    }
  })());

test("a new version runs the new code", () =>
  withSandbox({}, async (sandbox) => {
    for (const version of [1, 2, 3, 2]) {
      const outcome = await sandbox.run(job("w", `const transform = () => ${version};`, { version }));
      assert.ok(outcome.status === "returned");
      assert.equal(outcome.value, String(version));
    }
  })());

test("webhooks that behave go on while others use up their time", () =>
  withSandbox({ deadlineMs: 1_500 }, async (sandbox) => {
    await sandbox.run(job("good"));
    const hostile = ["a", "b", "c"].map((id) => sandbox.run(job(id, ENDLESS)));
    let over = false;
    void Promise.race(hostile).then(() => {
      over = true;
    });
    for (let n = 0; n < 20; n++) assert.equal(kindOf(await sandbox.run(job("good"))), "returned");
    assert.equal(over, false, "they were still at it when twenty calls had been answered");
    assert.deepEqual((await Promise.all(hostile)).map(kindOf), ["timeout", "timeout", "timeout"]);
  })());

test("what was given to a thread together with a call that never ends is run by another", () =>
  withSandbox({ deadlineMs: 1_500 }, async (sandbox) => {
    await sandbox.run(job("good"));
    const hostile = sandbox.run(job("hostile", ENDLESS));
    let over = false;
    void hostile.then(() => {
      over = true;
    });
    const behind = await Promise.all(Array.from({ length: 20 }, () => sandbox.run(job("good"))));
    assert.equal(over, false);
    assert.deepEqual(new Set(behind.map(kindOf)), new Set(["returned"]));
    assert.equal(kindOf(await hostile), "timeout");
  })());

test("with one thread everybody has to wait, but not for more than their turn", () =>
  withSandbox({ workers: 1, deadlineMs: 150 }, async (sandbox) => {
    const hostile = Promise.all(Array.from({ length: 3 }, () => sandbox.run(job("hostile", ENDLESS))));
    const good = await Promise.all(Array.from({ length: 40 }, () => sandbox.run(job("good"))));
    assert.deepEqual(new Set(good.map(kindOf)), new Set(["returned"]));
    assert.deepEqual((await hostile).map(kindOf), ["timeout", "timeout", "timeout"]);
  })());

test("a thread that does not come back is ended: the call fails, the others are run by its successor", () =>
  withSandbox({ workers: 1, deadlineMs: 100 }, async (sandbox) => {
    const outcomes = Promise.all([
      sandbox.run(job("deaf", DEAF)),
      ...Array.from({ length: 10 }, (_, n) => sandbox.run(job(`good ${n}`))),
    ]);
    const [deaf, ...others] = (await outcomes).map(kindOf);
    assert.equal(deaf, "timeout");
    assert.deepEqual(new Set(others), new Set(["returned"]));
  })());

test("a webhook that keeps running out is throttled, is told until when, and comes back", async () => {
  const clock = shiftedClock();
  await withSandbox({ deadlineMs: 30, clock }, async (sandbox) => {
    const source = "function transform(evt) { while (evt.endless); return 1; }";
    const endless = () => sandbox.run(job("w", source, { evt: '{"endless":true}' }));
    for (let n = 0; n < 5; n++) assert.equal(kindOf(await endless()), "timeout");
    const refused = await endless();
    assert.ok(refused.status === "failed");
    assert.equal(refused.error.kind, "throttled");
    assert.match(refused.error.message, /not called until \d{4}-\d\d-\d\dT.*Z/);
    assert.equal(kindOf(await sandbox.run(job("other"))), "returned");
    clock.shift += 10_001;
    assert.equal(kindOf(await endless()), "timeout");
    assert.equal(kindOf(await endless()), "throttled");
    clock.shift += 20_001;
    assert.equal(kindOf(await sandbox.run(job("w", source))), "returned");
    assert.equal(kindOf(await endless()), "timeout");
  })();
});

test("what waits of a webhook when it is throttled is refused at once, and a new version runs", () =>
  withSandbox({ deadlineMs: 30 }, async (sandbox) => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => sandbox.run(job("w", ENDLESS))));
    const count = (kind: string) => outcomes.filter((outcome) => kindOf(outcome) === kind).length;
    assert.deepEqual([count("timeout"), count("throttled")], [5, 35]);
    assert.equal(kindOf(await sandbox.run(job("w", GOOD, { version: 2 }))), "returned");
  })());

test("too much that waits is refused as unavailable, of one webhook before of all", () =>
  withSandbox({}, async (sandbox) => {
    const settled: Promise<unknown>[] = [];
    const run = (id: string) => {
      const outcome = sandbox.run(job(id)).then(
        () => "ran",
        (error: ServiceError) => error,
      );
      settled.push(outcome);
    };
    for (let n = 0; n < 2_100; n++) run("busy");
    for (let n = 0; n < 100; n++) run("calm");
    const results = await Promise.all(settled);
    const refused = results.slice(0, 2_100).filter((result) => result instanceof ServiceError);
    assert.equal(refused.length, 100);
    assert.deepEqual([refused[0]!.code, refused[0]!.detail.retry_after], ["unavailable", 1]);
    assert.deepEqual(new Set(results.slice(2_100)), new Set(["ran"]));
  })());

test("sources and inputs past their bounds are refused", () =>
  withSandbox({}, async (sandbox) => {
    const tooLarge = { code: "payload_too_large" };
    await assert.rejects(sandbox.run(job("w", `//${"x".repeat(256 * 1024)}`)), tooLarge);
    await assert.rejects(sandbox.run(job("w", GOOD, { raw: "ü".repeat(4 * 1024 * 1024 + 1) })), tooLarge);
    await assert.rejects(sandbox.check(`//${"x".repeat(256 * 1024)}`), tooLarge);
    const raw = "ü".repeat(256 * 1024);
    const source = "function transform(evt, headers, queryParams, raw) { return raw.length; }";
    const outcome = await sandbox.run(job("w", source.padEnd(256 * 1024), { raw }));
    assert.ok(outcome.status === "returned");
    assert.equal(outcome.value, String(256 * 1024));
  })());

test("a check says what is wrong with a source and where, and calls nothing", () =>
  withSandbox({ deadlineMs: 200 }, async (sandbox) => {
    assert.equal(await sandbox.check("function transform() { for (;;); }"), null);
    assert.equal(await sandbox.check("const transform = (evt: { a: number }) => evt.a;"), null);
    const wrong = await sandbox.check("function transform() {\n  return {;\n}");
    assert.deepEqual([wrong?.kind, wrong?.line, wrong?.column], ["syntax", 2, 11]);
    assert.equal((await sandbox.check("for (;;); function transform() {}"))?.kind, "timeout");
    assert.match((await sandbox.check("const a = 1;"))?.message ?? "", /no function called transform/);
  })());

test("code that breaks the parser of TypeScript breaks it for nobody else", () =>
  withSandbox({}, async (sandbox) => {
    const deep = `let x: any = ${"(".repeat(200_000)};\nfunction transform() {}`;
    const typed = "const transform = (evt: { n: number }): number => evt.n as number;";
    const outcomes = await Promise.all([
      sandbox.check(deep),
      sandbox.run(job("deep", deep)),
      ...Array.from({ length: 8 }, (_, n) => sandbox.run(job(`typed ${n}`, typed, { evt: `{"n":${n}}` }))),
    ]);
    const [checked, ran, ...others] = outcomes as [{ kind: string }, TransformOutcome, ...TransformOutcome[]];
    assert.deepEqual([checked.kind, kindOf(ran)], ["crashed", "crashed"]);
    for (const [n, outcome] of others.entries()) {
      assert.ok(outcome.status === "returned", JSON.stringify(outcome));
      assert.equal(outcome.value, String(n));
    }
  })());

test("without a thread to be had calls are refused as unavailable, and later ones are tried again", () =>
  // With so little memory no machine comes up.
  withSandbox({ memoryBytes: 1 }, async (sandbox) => {
    for (let n = 0; n < 2; n++) {
      const calls = await Promise.allSettled([sandbox.run(job("a")), sandbox.check(GOOD)]);
      for (const call of calls) {
        assert.ok(call.status === "rejected", JSON.stringify(call));
        assert.equal((call.reason as ServiceError).code, "unavailable");
      }
    }
    assert.equal(sandbox.backlog(), 0);
  })());

test("threads that have nothing to do are ended, and started again when there is something", async () => {
  const clock = shiftedClock();
  await withSandbox({ idleMs: 60_000, clock }, async (sandbox) => {
    await sandbox.run(job("w"));
    assert.equal(sandbox.stats().threads.length, 1);
    clock.shift += 60_001;
    await until(() => sandbox.stats().threads.length === 0);
    assert.equal(kindOf(await sandbox.run(job("w"))), "returned");
  })();
});

test("closing rejects what waits and what runs, and all that comes after", async () => {
  const sandbox = createSandbox();
  const outcomes = [
    sandbox.run(job("a", ENDLESS)),
    ...Array.from({ length: 50 }, () => sandbox.run(job("b"))),
  ];
  const settled = Promise.allSettled(outcomes);
  await until(() => sandbox.stats().running > 0);
  await sandbox.close();
  for (const result of await settled) {
    if (result.status === "rejected") assert.equal((result.reason as ServiceError).code, "unavailable");
  }
  assert.equal((await settled)[0]!.status, "rejected");
  await assert.rejects(sandbox.run(job("w")), { code: "unavailable" });
  assert.equal(sandbox.backlog(), 0);
  await sandbox.close();
});

test("the observer is told how calls ended", async () => {
  const seen: string[] = [];
  const observer = { ended: (result: string) => void seen.push(result) };
  await withSandbox({ observer, deadlineMs: 100 }, async (sandbox) => {
    await sandbox.run(job("a"));
    await sandbox.run(job("b", "function transform() { throw 1; }"));
    await sandbox.run(job("c", ENDLESS));
    await sandbox.check(GOOD);
  })();
  assert.deepEqual(seen, ["returned", "runtime", "timeout"]);
});
