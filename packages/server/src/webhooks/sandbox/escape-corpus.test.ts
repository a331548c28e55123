import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { HostileTransform } from "./escape-corpus/hostile-transform.ts";
import { ESCAPE_CORPUS } from "./escape-corpus/index.ts";
import type { TransformOutcome } from "./outcome.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

const DEADLINE_MS = 300;
/** What a machine that is busy with other things may add to any time measured here. */
const MARGIN_MS = 3_000;
const EVT = '{"a":1}';

let sandbox: Sandbox;
let realm: string;

const call = (webhookId: string, source: string, evt = EVT) =>
  sandbox.run({ webhookId, version: 1, source, evt, headers: "{}", queryParams: "{}", raw: "" });

const GOOD =
  "let calls = 0;\nfunction transform(evt) { calls++; return { name: 'shop/order', data: evt, calls }; }";
const GOOD_VALUE = '{"name":"shop/order","data":{"a":1},"calls":1}';

/** What can be seen of a realm from within. */
const PROBE = `function transform() {
  const seen = [];
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const value = globalThis[name];
    const own = (object) => Object.entries(Object.getOwnPropertyDescriptors(object)).map(([key, it]) => key + typeof it.value + (typeof it.value === "object" ? "" : String(it.value)));
    if (typeof value === "function" && value.prototype) seen.push(name, own(value), own(value.prototype));
    else seen.push(name, typeof value);
  }
  return seen;
}`;

before(async () => {
  sandbox = createSandbox({ deadlineMs: DEADLINE_MS, memoryBytes: 16 * 1024 * 1024 });
  realm = jsonOf(await call("probe", PROBE));
});
after(() => sandbox.close());

function jsonOf(outcome: TransformOutcome): string {
  assert.equal(outcome.status, "returned", JSON.stringify(outcome));
  assert.ok(outcome.status === "returned" && outcome.value !== null);
  return outcome.value;
}

function assertExpected({ expect }: HostileTransform, outcome: TransformOutcome): void {
  const seen = JSON.stringify(outcome).slice(0, 2_000);
  if ("returns" in expect) {
    assert.ok(outcome.status === "returned", seen);
    assert.deepEqual(outcome.value === null ? null : JSON.parse(outcome.value), expect.returns);
  } else {
    assert.ok(outcome.status === "failed", seen);
    assert.ok(expect.fails.includes(outcome.error.kind), seen);
    if (expect.message !== undefined) assert.match(outcome.error.message, expect.message);
    assert.ok(outcome.error.message.length <= 2_000);
  }
  const logged = outcome.logs.reduce((sum, { text }) => sum + text.length, 0);
  assert.ok(
    outcome.logs.length <= 101 && logged <= 20_000,
    `${outcome.logs.length} lines, ${logged} characters`,
  );
}

test("the corpus has what it promises", () => {
  assert.ok(ESCAPE_CORPUS.length >= 45);
  assert.equal(new Set(ESCAPE_CORPUS.map(({ name }) => name)).size, ESCAPE_CORPUS.length);
});

for (const hostile of ESCAPE_CORPUS) {
  test(`${hostile.name}: ends as it should, and nobody else notices`, async () => {
    const startedAt = performance.now();
    const attack = call(`hostile ${hostile.name}`, hostile.source);
    const beside = await call("good", GOOD);
    assert.equal(jsonOf(beside), GOOD_VALUE);
    const outcome = await attack;
    assertExpected(hostile, outcome);
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs < DEADLINE_MS + 500 + MARGIN_MS, `took ${tookMs} ms`);

    const afterwards = performance.now();
    assert.equal(jsonOf(await call("good", GOOD)), GOOD_VALUE);
    assert.ok(performance.now() - afterwards < MARGIN_MS);
    assert.equal(
      jsonOf(await call("probe", PROBE)),
      realm,
      "something of it was left in the realm of another",
    );
  });
}

test("after all of it no memory is held but that of two idle machines", async () => {
  assert.equal(sandbox.backlog(), 0);
  await call("good", GOOD);
  const { threads } = sandbox.stats();
  assert.ok(threads.length <= 2);
  for (const thread of threads)
    assert.ok((thread?.memoryBytes ?? 0) < 8 * 1024 * 1024, JSON.stringify(thread));
});
