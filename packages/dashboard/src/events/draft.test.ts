import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDraft, countDraft } from "./draft.ts";

const messages = (value: unknown) => checkDraft(JSON.stringify(value)).map(({ message }) => message);

test("an event as the service takes it has no problem, alone or among others", () => {
  const event = { name: "a/b", data: {}, id: "x", ts: 1, user: { id: 1 }, v: "1" };
  assert.deepEqual(messages(event), []);
  assert.equal(countDraft(JSON.stringify(event)), 1);
  assert.equal(countDraft(JSON.stringify([event, { name: "c", data: {}, id: null }])), 2);
});

test("what the service would refuse is told at its place", () => {
  const text = '{ "name": "a", "data": [] }';
  const [problem] = checkDraft(text);
  assert.equal(text.slice(problem!.from, problem!.to), '"data"');
  for (const event of [
    {},
    { name: "", data: {} },
    { name: "svc/x", data: {} },
    { name: "a" },
    5,
    { name: "a", data: {}, ts: "now" },
  ]) {
    assert.ok(messages(event).length > 0, JSON.stringify(event));
    assert.equal(countDraft(JSON.stringify(event)), null);
  }
  assert.match(messages([{ name: "a", data: {} }, { data: {} }])[0]!, /^Event 2: /);
  assert.equal(countDraft("[]"), null);
});

test("a part that the service drops is a warning, and can be sent", () => {
  const text = '{"name":"a","data":{},"payload":{}}';
  assert.deepEqual(
    checkDraft(text).map(({ severity }) => severity),
    ["warning"],
  );
  assert.equal(countDraft(text), 1);
});

test("text that is not JSON is left to the editor", () => {
  assert.deepEqual(checkDraft("{"), []);
  assert.equal(countDraft("{"), null);
});

test("names are measured in bytes, as the service does", () => {
  assert.deepEqual(messages({ name: "ü".repeat(128), data: {} }), []);
  assert.match(messages({ name: "ü".repeat(129), data: {} })[0]!, /256 bytes/);
});

test("a number out of range cannot be sent, one that loses digits can", () => {
  assert.equal(countDraft('{"name":"a","data":{"n":1e400}}'), null);
  assert.equal(countDraft('{"name":"a","data":{"n":12345678901234567890}}'), 1);
});
