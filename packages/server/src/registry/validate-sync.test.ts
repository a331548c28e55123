import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ServiceError } from "../errors.ts";
import { parseInBandSync, parseSync } from "./validate-sync.ts";

const recording = JSON.parse(
  readFileSync(new URL("../../test/recordings/inngest-4.24.0-sync.json", import.meta.url), "utf8"),
);

type Json = Record<string, unknown>;

function fn(more: Json = {}): Json {
  return {
    id: "shop-a",
    name: "A",
    triggers: [{ event: "shop/order" }],
    steps: {
      step: { id: "step", runtime: { type: "http", url: "http://127.0.0.1:3000/api/svc?fnId=shop-a" } },
    },
    ...more,
  };
}
const sync = (...functions: unknown[]): Json => ({
  url: "http://127.0.0.1:3000/api/svc",
  appName: "shop",
  sdk: "js:v1",
  v: "0.1",
  functions,
});

/** The refusal of a sync with one function that differs from a good one. */
async function refusal(more: Json): Promise<ServiceError> {
  try {
    await parseSync(sync(fn(more)));
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, "invalid_request");
    return error;
  }
  assert.fail(`accepted ${JSON.stringify(more).slice(0, 200)}`);
}

test("a recorded sync of the real client is accepted, its functions as they were sent", async () => {
  const request = await parseSync(recording);
  assert.equal(request.appName, "trace-app");
  assert.deepEqual(request.functions, recording.functions);
  assert.equal("featureObservations" in request, false);
});

test("the answer to an in-band sync reads alike", async () => {
  const { appName, ...rest } = recording;
  assert.deepEqual(await parseInBandSync({ ...rest, app_id: appName }), await parseSync(recording));
  await assert.rejects(() => parseInBandSync("<html>"), /The sync cannot be read/);
});

test("unknown fields of a function stay in its configuration", async () => {
  const config = fn({ somethingNew: { deep: [1] } });
  assert.deepEqual((await parseSync(sync(config))).functions, [config]);
});

test("null counts as absent", async () => {
  const nothing = { name: null, concurrency: null, throttle: null, cancel: null, idempotency: null };
  await parseSync(sync(fn({ ...nothing, triggers: [{ event: "a", expression: null, cron: null }] })));
});

const REFUSED: [what: string, more: Json, field: string, sentence: RegExp][] = [
  ["no trigger", { triggers: [] }, "triggers", /`triggers`/],
  ["11 triggers", { triggers: Array(11).fill({ event: "a" }) }, "triggers", /<=10/],
  ["a trigger without event and cron", { triggers: [{}] }, "triggers.0", /either an `event` or a `cron`/],
  [
    "event and cron in one trigger",
    { triggers: [{ event: "a", cron: "0 0 * * *" }] },
    "triggers.0",
    /either/,
  ],
  ["a wildcard in the middle", { triggers: [{ event: "a/*/b" }] }, "triggers.0.event", /only at its end/],
  ["a star alone", { triggers: [{ event: "*" }] }, "triggers.0.event", /only at its end/],
  ["a long event name", { triggers: [{ event: "é".repeat(129) }] }, "triggers.0.event", /256 bytes/],
  ["six cron fields", { triggers: [{ cron: "* * * * * *" }] }, "triggers.0.cron", /schedule/],
  ["minute 61", { triggers: [{ cron: "61 * * * *" }] }, "triggers.0.cron", /minute/],
  ["an unknown time zone", { triggers: [{ cron: "TZ=Mars/X 0 0 * * *" }] }, "triggers.0.cron", /`Mars\/X`/],
  ["a date for a cron", { triggers: [{ cron: "2030-01-01T00:00:00" }] }, "triggers.0.cron", /once/],
  ["a cron that never comes", { triggers: [{ cron: "0 0 31 2 *" }] }, "triggers.0.cron", /never/],
  [
    "bad CEL",
    { triggers: [{ event: "a", expression: "event.data.a ==" }] },
    "triggers.0.expression",
    /valid/,
  ],
  [
    "CEL that is no condition",
    { triggers: [{ event: "a", expression: "1 + 1" }] },
    "triggers.0.expression",
    /int/,
  ],
  ["a bad key", { idempotency: "event.data." }, "idempotency", /valid/],
  ["a bad cancellation", { cancel: [{ event: "a", if: "async." }] }, "cancel.0.if", /valid/],
  [
    "three concurrency entries",
    { concurrency: [{ limit: 1 }, { limit: 1 }, { limit: 1 }] },
    "concurrency",
    /2/,
  ],
  [
    "a concurrency entry without limit",
    { concurrency: [{ key: "event.data.a" }] },
    "concurrency.0.limit",
    /number/,
  ],
  ["a batch of 0", { batchEvents: { maxSize: 0, timeout: "2s" } }, "batchEvents.maxSize", />=1/],
  ["a batch of 101", { batchEvents: { maxSize: 101, timeout: "2s" } }, "batchEvents.maxSize", /<=100/],
  [
    "a batch wait of 61 s",
    { batchEvents: { maxSize: 5, timeout: "61s" } },
    "batchEvents.timeout",
    /1 s to 60 s/,
  ],
  [
    "a batch wait of 10 ms",
    { batchEvents: { maxSize: 5, timeout: "10ms" } },
    "batchEvents.timeout",
    /1 s to 60 s/,
  ],
  ["a throttle period", { throttle: { limit: 1, period: "soon" } }, "throttle.period", /duration/],
  ["a debounce without period", { debounce: {} }, "debounce.period", /`debounce.period`/],
  ["a long id", { id: "x".repeat(257) }, "id", /<=256/],
  ["no steps", { steps: {} }, "steps", /where to call/],
];
for (const [what, more, field, sentence] of REFUSED) {
  test(`${what}: refused with function and field`, async () => {
    const error = await refusal(more);
    assert.equal(error.detail.field, field);
    assert.equal(error.detail.function, (more.id as string | undefined)?.slice(0, 256) ?? "shop-a");
    assert.match(error.message, sentence);
  });
}

test("retries are a whole number from 0 to 20", async () => {
  const withRetries = (attempts: unknown) => ({
    steps: { step: { runtime: { url: "https://example.com/" }, retries: { attempts } } },
  });
  for (const attempts of [0, 20, null]) await parseSync(sync(fn(withRetries(attempts))));
  for (const attempts of [-1, 21, 1.5, "3"]) {
    assert.equal((await refusal(withRetries(attempts))).detail.field, "steps.step.retries.attempts");
  }
});

test("an address that is not http(s) is refused, of the app and of a function", async () => {
  for (const url of [
    "ftp://example.com",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "example.com",
    "http://",
  ]) {
    await assert.rejects(() => parseSync({ ...sync(fn()), url }), { message: /`url` must be an http/ });
    const steps = { step: { runtime: { type: "http", url } } };
    assert.equal((await refusal({ steps })).detail.field, "steps.step.runtime.url");
  }
});

test("ids must differ and functions must not be more than 1,000", async () => {
  await assert.rejects(() => parseSync(sync(fn(), fn())), {
    message: /"shop-a" is there twice/,
    detail: { function: "shop-a", field: "id" },
  });
  const many = (count: number) => Array.from({ length: count }, (_, i) => fn({ id: `shop-${i}` }));
  assert.equal((await parseSync(sync(...many(1_000)))).functions.length, 1_000);
  await assert.rejects(() => parseSync(sync(...many(1_001))), { message: /`functions`/ });
});

test("the triggers of a sync may have 2,000 expressions together", async () => {
  const triggers = Array.from({ length: 10 }, (_, i) => ({ event: "a", expression: `event.data.n == ${i}` }));
  const many = (count: number) => Array.from({ length: count }, (_, i) => fn({ id: `shop-${i}`, triggers }));
  await parseSync(sync(...many(200)));
  await assert.rejects(() => parseSync(sync(...many(201))), { message: /more than 2000 expressions/ });
});

test("reading a sync of many functions lets other work through", async () => {
  const triggers = Array.from({ length: 10 }, (_, i) => ({ cron: `${i} 0 29 2 1` }));
  let turns = 0;
  const turn = setInterval(() => turns++, 1);
  await parseSync(sync(...Array.from({ length: 500 }, (_, i) => fn({ id: `shop-${i}`, triggers }))));
  clearInterval(turn);
  assert.ok(turns > 3, `${turns} turns`);
});

test("a body that is no sync is refused with a sentence", async () => {
  for (const body of [undefined, null, 5, "text", [], {}, { url: 1 }, { ...sync(fn()), appName: "" }]) {
    await assert.rejects(() => parseSync(body), {
      name: "ServiceError",
      message: /^The sync cannot be read: /,
    });
  }
  await assert.rejects(() => parseSync(sync(null)), { message: /The function "#0"/ });
});

test("a configuration that is too large or too deep is refused", async () => {
  assert.match((await refusal({ note: "x".repeat(200_000) })).message, /larger than 128 KiB/);
  const deep = JSON.parse(`${"[".repeat(60_000)}${"]".repeat(60_000)}`);
  assert.match((await refusal({ deep })).message, /nested too deep/);
});
