import assert from "node:assert/strict";
import { test } from "node:test";
import * as p from "./index.ts";

/** The signed answer of a recorded client. */
const recordedAnswer = {
  key: "abcdef0123456789abcdef0123456789",
  header: "t=1795239885&s=5f7771856720b2a92102703e218658913f8798ea8f833b35e66441a0867b50a0",
  body: '[{"op":"RunComplete","id":"0737c22d3bfae812339732d14d8c7dbd6dc4e09c","data":{"got":{"x":1}}}]',
};

test("a step id hashes as the recorded clients hash it", () => {
  assert.equal(p.hashStepId("first step"), "98bf98df193bcce7c33e6bc50927cf2ac21206cb");
  assert.equal(p.hashStepId("a", 1), p.sha1("a:1"));
});
test("a seed gives the id that was recorded for it", () => {
  const seed = p.parseEventIdSeed("1795239646449,z42AbGmmMpYgCg==")!;
  assert.equal(p.seededEventId(seed, 0), "01M7Y9Y57HSY6R0V39MRS9C80B");
  assert.equal(p.formatEventIdSeed(seed), "1795239646449,z42AbGmmMpYgCg==");
});
test("a signing key hashes to the recorded bearer token", async () => {
  assert.equal(
    await p.hashSigningKey("abcdef0123456789abcdef0123456789"),
    "3e4ca04a7a69cf22ada1ccc20cdec2f6d8c098e94e5776f47407b289c9e38a5c",
  );
});
test("ids go up within a millisecond and when the clock steps back", () => {
  const next = p.createUlidGenerator();
  const ids = [5, 5, 4, 6, 6, 1].map((now) => next(now));
  assert.deepEqual([...ids].sort(), ids);
  assert.ok(ids.every(p.isUlid));
  assert.equal(p.ulidTime(ids[0]!), 5);
});
test("canonical JSON sorts keys at every depth and drops spaces", () => {
  const value = JSON.parse('{"b":[{"z":1,"a":null}],"a":"\\u20ac","__proto__":{"x":1},"10":1e30}');
  assert.equal(p.canonicalJson(value), '{"10":1e+30,"__proto__":{"x":1},"a":"€","b":[{"a":null,"z":1}]}');
});
test("canonical JSON sorts keys that look like numbers as texts, too", () => {
  assert.equal(
    p.canonicalJson({ 9: { 2: "b", 10: "a" }, 10: [null, true] }),
    '{"10":[null,true],"9":{"10":"a","2":"b"}}',
  );
});
test("both ways to sign give the same signature, and check each other's", async () => {
  const key = "signkey-prod-abcdef0123456789";
  const header = await p.signBody("Grüße", key, 1_795_239_885_000);
  assert.equal(header, `t=1795239885&s=${await p.webHmac("Grüße1795239885", key)}`);
  const check = (body: string): Promise<string> =>
    p.verifySignature(body, header, { key }, 1_795_239_885_000);
  assert.deepEqual([await check("Grüße"), await check("other")], ["valid", "mismatch"]);
});
test("a recorded answer's signature is valid", async () => {
  const { key, header, body } = recordedAnswer;
  const at = Number(/t=(\d+)/.exec(header)![1]) * 1000;
  assert.equal(await p.verifySignature(body, header, { key }, at), "valid");
});

test("an envelope gives back the very text of its answer, whatever its log lines say", () => {
  const answer = '{ "n": 1.50, "text": "],\\"answer\\":" }';
  const lines = [
    { at: 1, level: "info" as const, text: '],"answer":{}}' },
    { at: 2, level: "warn" as const, text: '\\],"answer":\u0000\ud800', step: "a" },
  ];
  const opened = p.unwrapAnswer(p.wrapAnswer(answer, lines));
  assert.equal(opened?.answer, answer);
  assert.deepEqual(JSON.parse(opened.logs), lines);
  assert.deepEqual(p.unwrapAnswer(p.wrapAnswer("null", [])), { logs: "[]", answer: "null" });
});

test("what is not an envelope is not taken for one", () => {
  for (const body of ["", "{}", "null", '{"logs":[]}', '{"logs": [],"answer":1}', '{"answer":1,"logs":[]}']) {
    assert.equal(p.unwrapAnswer(body), null);
  }
});

test("a cut text has at most the characters asked for and no half of one", () => {
  assert.equal(p.cutText("abc", 3), "abc");
  assert.equal(p.cutText("abcd", 3), "ab…");
  assert.equal(p.cutText("a😀b", 3), "a…");
});
