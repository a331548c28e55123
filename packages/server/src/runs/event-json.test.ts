import assert from "node:assert/strict";
import { test } from "node:test";
import { eventJson } from "./event-json.ts";

const event = { id: "01", idempotencyId: null, name: "a/b", ts: 5, data: "{}" };
const seen = (extra: object | null) =>
  JSON.parse(eventJson({ ...event, extra: extra === null ? null : JSON.stringify(extra) }));

test("an event has a user also when another of its fields holds that word", () => {
  assert.deepEqual(seen({ v: "user" }).user, {});
  const cloudevent = { subject: "user", user: "not the event's own" };
  assert.deepEqual(seen({ cloudevent }), { name: "a/b", data: {}, id: "01", ts: 5, user: {}, cloudevent });
});

test("an event's own user is kept as sent", () => {
  assert.deepEqual(seen({ user: { id: 7 }, v: "1" }).user, { id: 7 });
  assert.deepEqual(seen(null).user, {});
});
