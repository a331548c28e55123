import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { curlText, sendCallText, typeText } from "./event-texts.ts";

test("the type of an example has optional members where entries differ, and quotes odd names", () => {
  const data = {
    id: 1,
    tags: ["a", 2],
    items: [{ sku: "A" }, { sku: "B", note: null }],
    "odd name": true,
    empty: {},
    none: [],
  };
  assert.equal(
    typeText("order/placed", data),
    `type OrderPlaced = {
  id: number;
  tags: (string | number)[];
  items: {
    sku: string;
    note?: null;
  }[];
  "odd name": boolean;
  empty: Record<string, never>;
  none: unknown[];
};`,
  );
});

test("a name without a letter at its beginning still names a type", () => {
  assert.match(typeText("2fa/sent", {}), /^type Event2faSent = /);
});

test("the curl command sends the same event, whatever quotes are in it", {
  skip: process.platform === "win32",
}, () => {
  const event = { name: "a/b", data: { text: `it's "quoted" $HOME \`id\` \\ end` } };
  const command = curlText(event, "http://localhost:8288/e/dev").replace(/^curl/, "printf '%s\\n'");
  const args = execFileSync("/bin/sh", ["-c", command], { encoding: "utf8" }).split("\n");
  assert.deepEqual(JSON.parse(args[4]!), event);
});

test("the send() call is a program that sends the event", () => {
  const event = { name: "a/b", data: { n: 1 } };
  const sent: unknown[] = [];
  const call = new Function("client", `return (async () => { ${sendCallText(event)} })()`);
  call({ send: (value: unknown) => sent.push(value) });
  assert.deepEqual(sent, [event]);
});
