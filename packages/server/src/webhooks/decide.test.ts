import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { failed, returned, type WebhookHarness, webhookHarness } from "../../test/webhook-harness.ts";
import { compileGate } from "../access/gate/gate.ts";
import { ServiceError } from "../errors.ts";
import { decide, targetOf } from "./decide.ts";
import type { TransformOutcome } from "./sandbox/outcome.ts";

const INPUT = { evt: "{}", headers: "{}", queryParams: "{}", raw: "", remark: undefined };
const RECEIVED = 1_000;

describe("what becomes of a request", () => {
  let hooks: WebhookHarness;
  before(async () => {
    hooks = await webhookHarness();
    await hooks.createBranch("feature/a");
    await hooks.createBranch("old", true);
  });
  after(() => hooks.close());

  const decided = (
    result: TransformOutcome | ServiceError,
    fields: { env?: string; branch?: string | null; names?: { allow: string[]; deny: string[] } } = {},
    remark?: string,
  ) => {
    const { env = "production", branch = null, names } = fields;
    const run = () => (result instanceof ServiceError ? Promise.reject(result) : Promise.resolve(result));
    const gate =
      names === undefined
        ? null
        : compileGate({ event_filter: JSON.stringify(names), ip_filter: null, rate_limit: null });
    const webhook = { id: "wh", env, version: 3, transform: "", gate };
    const { environments } = hooks.access;
    return decide(
      { sandbox: { run }, environments },
      webhook,
      { ...INPUT, remark },
      { receivedAt: RECEIVED, branch },
    );
  };
  const event = (name: string) => ({ name, data: { a: 1 } });

  test("one event or many are accepted into the environment that holds the webhook", async () => {
    const one = await decided(returned(event("a/b")));
    assert.equal(one.outcome.status, "accepted");
    assert.equal(one.accept?.environment.id, "production");
    const many = await decided(returned([event("a/1"), event("a/2")]));
    assert.deepEqual(
      many.accept?.events.map(({ name, ts }) => [name, ts]),
      [
        ["a/1", RECEIVED],
        ["a/2", RECEIVED],
      ],
    );
  });

  test("null and an empty array are ignored", async () => {
    for (const nothing of [null, []]) {
      const { outcome, accept } = await decided(returned(nothing));
      assert.deepEqual([outcome.status, outcome.error, accept], ["ignored", null, null]);
    }
    const value: TransformOutcome = { status: "returned", value: null, logs: [], durationMs: 1 };
    assert.equal((await decided(value)).outcome.status, "ignored");
  });

  test("an exception and an invalid event fail, with the place and the version", async () => {
    const { outcome } = await decided(failed("boom"));
    assert.deepEqual([outcome.status, outcome.version], ["failed", 3]);
    assert.deepEqual(JSON.parse(outcome.error!), { kind: "runtime", message: "boom", line: 1, column: 2 });
    for (const bad of [{ name: "" }, { name: "a/b" }, { name: "svc/x", data: {} }, 5, "x", [[]], [null]]) {
      const { outcome, accept } = await decided(returned(bad));
      assert.deepEqual([outcome.status, accept], ["failed", null], JSON.stringify(bad));
      assert.equal(JSON.parse(outcome.error!).kind, "invalid_event");
    }
  });

  test("one name that is not let in filters all events of the request, and deny wins", async () => {
    const names = { allow: ["a/*"], deny: ["a/secret"] };
    assert.equal((await decided(returned(event("a/b")), { names })).outcome.status, "accepted");
    for (const name of ["a/secret", "b/c"]) {
      const { outcome, accept } = await decided(returned([event("a/b"), event(name)]), { names });
      assert.deepEqual([outcome.status, accept], ["filtered", null]);
      assert.match(outcome.error!, new RegExp(name));
    }
  });

  test("the webhook of the branches sends to the branch that is named", async () => {
    const { outcome, accept } = await decided(returned(event("a/b")), {
      env: "branches",
      branch: "feature/a",
    });
    assert.deepEqual([outcome.status, accept?.environment.name], ["accepted", "feature/a"]);
  });

  test("without a living branch the events are kept as unrouted, with a sentence that says why", async () => {
    const why: [string | null, RegExp][] = [
      [null, /names no branch/],
      ["none", /no branch environment none/],
      ["old", /old is archived/],
      // Only branches can be named: a request must not choose its way into production.
      ["production", /no branch environment production/],
      ["branches", /no branch environment branches/],
      ["__proto__", /no branch environment __proto__/],
    ];
    for (const [branch, sentence] of why) {
      const { outcome, accept } = await decided(returned(event("a/b")), { env: "branches", branch });
      assert.deepEqual([outcome.status, accept], ["unrouted", null]);
      assert.match(JSON.parse(outcome.error!).message, sentence);
      assert.deepEqual(JSON.parse(outcome.events!), event("a/b"));
    }
  });

  test("the webhook of production sends to production, whatever a request names", async () => {
    const { accept } = await decided(returned(event("a/b")), { branch: "feature/a" });
    assert.equal(accept?.environment.id, "production");
    assert.equal(
      (targetOf(hooks.access.environments, "production", "none") as { id: string }).id,
      "production",
    );
  });

  test("what the service has to say about the body stands before what the transform logged", async () => {
    const result: TransformOutcome = {
      ...returned(null),
      logs: [{ level: "info", text: "hello" }],
    };
    const { outcome } = await decided(result, {}, "The body is not JSON.");
    assert.deepEqual(JSON.parse(outcome.logs!), [
      { level: "warn", text: "The body is not JSON." },
      { level: "info", text: "hello" },
    ]);
  });

  test("a sandbox with too much to do decides nothing; too large an input is an outcome", async () => {
    await assert.rejects(decided(new ServiceError("unavailable")), { code: "unavailable" });
    const { outcome } = await decided(new ServiceError("payload_too_large", "Too large."));
    assert.equal(outcome.status, "failed");
    assert.equal(JSON.parse(outcome.error!).message, "Too large.");
  });
});
