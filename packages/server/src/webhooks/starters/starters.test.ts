import assert from "node:assert/strict";
import { test } from "node:test";
import { callTransform, inputOf, runTransform, type TransformInput } from "../../../test/run-transform.ts";
import { isObject } from "../../ingest/tree.ts";
import { type IncomingEvent, validateEvent } from "../../ingest/validate.ts";
import { defaultTransform, type StarterSample, slugOf, starterById, starters } from "./index.ts";

const DAY = 86_400_000;
/** When all samples happened, within a day. */
const SAMPLE_DAY = Date.parse("2026-05-01T00:00:00Z");
/** Time of receipt, far enough from the samples' own times to be told from them. */
const NOW = SAMPLE_DAY + 3 * DAY;

/** The one event a sample becomes, by the rules of ingestion. */
async function eventOf(
  source: string,
  sample: StarterSample,
): Promise<IncomingEvent & { value: Record<string, unknown> }> {
  const event = validateEvent(await runTransform(source, inputOf(sample)), 0, { now: NOW });
  return { ...event, value: JSON.parse(event.data) };
}

const EXPECTED: Record<string, Record<string, string | null>> = {
  generic: {
    JSON: "webhook/request.received",
    "Standard Webhooks": "webhook/request.received",
    form: "webhook/request.received",
  },
  stripe: {
    "payment_intent.succeeded": "stripe/payment_intent.succeeded",
    "customer.subscription.updated": "stripe/customer.subscription.updated",
    "invoice.payment_failed": "stripe/invoice.payment_failed",
  },
  github: {
    push: "github/push",
    pull_request: "github/pull_request.opened",
    issues: "github/issues.labeled",
    ping: "github/ping",
  },
  clerk: {
    "user.created": "clerk/user.created",
    "user.updated": "clerk/user.updated",
    "user.deleted": "clerk/user.deleted",
  },
  linear: {
    "Issue create": "linear/issue.create",
    "Issue update": "linear/issue.update",
    "IssueLabel create": "linear/issue_label.create",
  },
  resend: {
    "email.delivered": "resend/email.delivered",
    "email.bounced": "resend/email.bounced",
    "email.clicked": "resend/email.clicked",
  },
  shopify: { "orders/create": "shopify/orders.create", "products/update": "shopify/products.update" },
  slack: {
    app_mention: "slack/app_mention",
    message: "slack/message",
    "slash command": "slack/command.deploy",
    block_actions: "slack/block_actions",
    url_verification: null,
  },
  intercom: {
    "conversation.user.created": "intercom/conversation.user.created",
    "conversation.user.replied": "intercom/conversation.user.replied",
    ping: "intercom/ping",
  },
};

/** Samples that have no time of their own, or no id. */
const NO_TIME = new Set(["generic JSON", "generic Standard Webhooks", "generic form", "github ping"]);
const NO_ID = new Set(["generic JSON", "generic form", "intercom ping"]);

const samples = starters.flatMap((starter) => starter.samples.map((sample) => ({ starter, sample })));
const eventful = samples.filter(({ starter, sample }) => EXPECTED[starter.id]?.[sample.name] !== null);

test("every starter has at least two samples, all of them with an expectation here", () => {
  for (const starter of starters) {
    assert.ok(starter.samples.length >= 2, starter.id);
    assert.deepEqual(
      starter.samples.map(({ name }) => name).sort(),
      Object.keys(EXPECTED[starter.id]!).sort(),
    );
  }
  assert.deepEqual(starters.map(({ id }) => id).sort(), Object.keys(EXPECTED).sort());
});

test("each sample becomes the expected event, and passes the rules of ingestion", async () => {
  for (const { starter, sample } of eventful) {
    assert.equal((await eventOf(starter.transform, sample)).name, EXPECTED[starter.id]![sample.name]);
  }
});

test("Slack's challenge is ignored", async () => {
  const { transform, samples } = starterById("slack")!;
  const challenge = samples.find(({ name }) => name === "url_verification")!;
  assert.equal(await runTransform(transform, inputOf(challenge)), null);
});

test("ids begin with the producer, differ between samples and are the same at each delivery", async () => {
  const ids = new Set<string>();
  for (const { starter, sample } of eventful) {
    const { idempotencyId } = await eventOf(starter.transform, sample);
    const label = `${starter.id} ${sample.name}`;
    if (NO_ID.has(label)) {
      assert.equal(idempotencyId, null, label);
      continue;
    }
    assert.match(
      idempotencyId!,
      starter.id === "generic" ? /^webhook-\S+$/ : new RegExp(`^${starter.id}-\\S+$`),
    );
    assert.doesNotMatch(idempotencyId!, /undefined|null|NaN/, label);
    assert.equal((await eventOf(starter.transform, sample)).idempotencyId, idempotencyId);
    assert.ok(!ids.has(idempotencyId!), label);
    ids.add(idempotencyId!);
  }
});

test("the time is the producer's, in milliseconds, wherever the payload has one", async () => {
  for (const { starter, sample } of eventful) {
    const { ts } = await eventOf(starter.transform, sample);
    const label = `${starter.id} ${sample.name}`;
    if (NO_TIME.has(label)) assert.equal(ts, NOW, label);
    else assert.ok(ts >= SAMPLE_DAY && ts < SAMPLE_DAY + DAY, `${label}: ${new Date(ts).toISOString()}`);
  }
});

test("the exact body and its signature travel inside the data, beside the producer's own fields", async () => {
  for (const { starter, sample } of eventful) {
    const { value } = await eventOf(starter.transform, sample);
    const label = `${starter.id} ${sample.name}`;
    assert.equal(value.raw, sample.body, label);
    if (starter.id === "generic" && sample.name !== "Standard Webhooks") continue;
    assert.equal(typeof value.signature, "string", label);
    assert.ok(Object.values(sample.headers).includes(value.signature as string), label);
    const { evt } = inputOf(sample);
    const own = (evt as { payload?: string }).payload;
    const fields = starter.id === "generic" ? { body: evt } : typeof own === "string" ? JSON.parse(own) : evt;
    for (const [name, field] of Object.entries(fields))
      assert.deepEqual(value[name], field, `${label}: ${name}`);
  }
});

test("Svix, Standard Webhooks and Slack also need id or timestamp, and have them", async () => {
  for (const { starter, sample } of eventful) {
    const { value } = await eventOf(starter.transform, sample);
    if (["clerk", "resend"].includes(starter.id) || sample.name === "Standard Webhooks") {
      assert.match(String(value.webhook_id), /^msg_/);
      assert.match(String(value.webhook_timestamp), /^\d{10}$/);
    }
    if (starter.id === "slack") assert.match(String(value.webhook_timestamp), /^\d{10}$/);
  }
});

test("a kind of event that the starter has never heard of passes through", async () => {
  const unheard: Record<string, [string, Partial<TransformInput>]> = {
    stripe: ["stripe/moon.landed", { evt: { type: "moon.landed" } }],
    github: [
      "github/moon_landing.begun",
      { evt: { action: "begun" }, headers: { "X-Github-Event": "moon_landing" } },
    ],
    clerk: ["clerk/moon.landed", { evt: { type: "moon.landed" } }],
    linear: ["linear/moon_landing", { evt: { type: "MoonLanding" } }],
    resend: ["resend/moon.landed", { evt: { type: "moon.landed" } }],
    shopify: ["shopify/moons.landed", { evt: {}, headers: { "X-Shopify-Topic": "moons/landed" } }],
    slack: ["slack/moon_landed", { evt: { type: "event_callback", event: { type: "moon_landed" } } }],
    intercom: ["intercom/moon.landed", { evt: { topic: "moon.landed" } }],
    generic: ["webhook/request.received", { evt: { moon: "landed" } }],
  };
  for (const starter of starters) {
    const [name, fields] = unheard[starter.id]!;
    const result = await runTransform(starter.transform, {
      evt: {},
      headers: {},
      queryParams: {},
      raw: "",
      ...fields,
    });
    const event = validateEvent(result, 0, { now: NOW });
    assert.equal(event.name, name);
    assert.equal(event.ts, NOW);
    assert.equal(event.idempotencyId, null);
  }
});

/** The input once without each header, and once for each field, down to `depth`, that is missing or another value. */
function* damaged(input: TransformInput, depth: number): Generator<TransformInput> {
  for (const evt of [{}, null, [], "text", 5, true]) yield { ...input, evt };
  for (const name of Object.keys(input.headers)) {
    const { [name]: _, ...headers } = input.headers;
    yield { ...input, headers };
  }
  for (const evt of damagedValues(input.evt, depth)) yield { ...input, evt };
  yield { evt: {}, headers: {}, queryParams: {}, raw: "" };
}

function* damagedValues(value: unknown, depth: number): Generator<unknown> {
  if (!isObject(value) || depth === 0) return;
  for (const key of Object.keys(value)) {
    const { [key]: inner, ...rest } = value;
    yield rest;
    for (const other of [null, {}, [], "", 0, "text", true]) yield { ...value, [key]: other };
    for (const less of damagedValues(inner, depth - 1)) yield { ...value, [key]: less };
  }
}

test("requests with missing or strange fields become an event or nothing, never an exception of the starter", async () => {
  let tried = 0;
  for (const { starter, sample } of samples) {
    const isForm = sample.body.startsWith("payload=");
    const inputs = [...damaged(inputOf(sample), 2)];
    const outcomes = await Promise.all(inputs.map((input) => callTransform(starter.transform, input)));
    for (const [index, outcome] of outcomes.entries()) {
      const label = `${starter.id} ${sample.name}: ${JSON.stringify(inputs[index]).slice(0, 300)}`;
      // JSON in a field of a form that is not JSON: the author shall see it as a failed transform.
      if (outcome.status === "failed" && outcome.error.name === "SyntaxError" && isForm) continue;
      assert.equal(outcome.status, "returned", `${label}: ${JSON.stringify(outcome)}`);
      if (outcome.value !== null) assert.ok(isObject(JSON.parse(outcome.value).data), label);
      tried++;
    }
  }
  assert.ok(tried > 2_000, String(tried));
});

test("GitHub's form-encoded deliveries become the same event as its JSON ones", async () => {
  const { transform, samples } = starterById("github")!;
  const push = samples.find(({ name }) => name === "push")!;
  const form: StarterSample = {
    ...push,
    headers: { ...push.headers, "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ payload: push.body }).toString(),
  };
  const [json, encoded] = [await eventOf(transform, push), await eventOf(transform, form)];
  assert.equal(encoded.name, json.name);
  assert.equal(encoded.ts, json.ts);
  assert.deepEqual({ ...encoded.value, raw: "" }, { ...json.value, raw: "" });
  assert.equal(encoded.value.raw, form.body);
});

test("a starter keeps nothing between calls and uses nothing that a bare realm does not have", async () => {
  for (const { starter, sample } of eventful) {
    const input = inputOf(sample);
    assert.deepEqual(
      await runTransform(starter.transform, input),
      await runTransform(starter.transform, input),
    );
    assert.doesNotMatch(
      starter.transform,
      /\b(URL|URLSearchParams|Buffer|require|import|fetch|process|globalThis)\b/,
    );
  }
});

test("names of webhooks become slugs", () => {
  assert.equal(slugOf("Shop orders"), "shop-orders");
  assert.equal(slugOf("  Café — Orders (EU)!  "), "cafe-orders-eu");
  assert.equal(slugOf("ＦＵＬＬ width"), "full-width");
  assert.equal(slugOf("-- a__b --"), "a-b");
  for (const nothing of ["", "  ", "注文", "🚚", "—"]) assert.equal(slugOf(nothing), "webhook");
  assert.equal(slugOf("x".repeat(1_000_000)), "x".repeat(64));
  assert.equal(slugOf(`${"x".repeat(63)} y`), "x".repeat(63));
});

test("the default transform names events after the webhook, and never with a reserved name", async () => {
  const input: TransformInput = {
    evt: { a: 1 },
    headers: {},
    queryParams: { q: ["1", "2"] },
    raw: '{"a":1}',
  };
  const nameFor = async (name: string) =>
    validateEvent(await runTransform(defaultTransform(name), input), 0, { now: NOW }).name;
  assert.equal(await nameFor("Shop orders"), "shop-orders/request.received");
  assert.equal(await nameFor('"; throw new Error("x"); //'), "throw-new-error-x/request.received");
  assert.equal(await nameFor("svc"), "svc-webhook/request.received");
  assert.equal(await nameFor("Inngest"), "inngest-webhook/request.received");
  assert.deepEqual(((await runTransform(defaultTransform("a"), input)) as { data: unknown }).data, {
    body: { a: 1 },
    query: { q: ["1", "2"] },
    raw: '{"a":1}',
  });
});

test("the default transform says when the raw body is base64", async () => {
  const headers = { "X-Svc-Body-Encoding": "base64" };
  const input: TransformInput = { evt: {}, headers, queryParams: {}, raw: "/w==" };
  const { data } = (await runTransform(defaultTransform("a"), input)) as { data: Record<string, unknown> };
  assert.equal(data.raw_encoding, "base64");
});
