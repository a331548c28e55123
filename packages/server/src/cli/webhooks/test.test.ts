import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { runWebhooks } from "./webhooks.ts";

const BIN = fileURLToPath(new URL("../../../bin/svc.js", import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-transforms-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(name: string, content: unknown): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
}

async function run(...argv: string[]) {
  const said: string[] = [];
  const complained: string[] = [];
  const output = {
    say: (line: string) => void said.push(line),
    complain: (line: string) => void complained.push(line),
  };
  const code = await runWebhooks(["test", ...argv], {}, output);
  return { code, said: said.join("\n"), complained: complained.join("\n") };
}

const ORDER = `export function transform(evt: { id: string }, headers: Record<string, string>, query, raw: string) {
  console.log("got", evt);
  if (headers["X-Topic"] === "ping") return null;
  return { name: "shop/" + headers["X-Topic"], id: evt.id, data: { size: raw.length, shop: query.shop?.[0] } };
}
`;

test("a fixture passes when the events are what it expects, whatever their time", async () => {
  await write("shop.ts", ORDER);
  await write("fixtures/shop/order.json", {
    name: "an order",
    headers: { "x-TOPIC": "order" },
    query: "shop=eu",
    body: { id: "7" },
    expect: { data: { shop: "eu", size: 10 }, id: "7", name: "shop/order" },
  });
  await write("fixtures/shop/ping.json", { headers: { "X-Topic": "ping" }, body: "raw text", expect: null });
  const { code, said } = await run(folder);
  assert.equal(code, 0, said);
  assert.equal(
    said,
    `passed  shop  order.json (an order)  1 event
    log: got { id: '7' }
    {"name":"shop/order","data":{"size":10,"shop":"eu"},"id":"7"}
passed  shop  ping.json  ignored
    log: got {}
2 passed, 0 failed.`,
  );
});

test("a fixture fails with each place that is not as expected", async () => {
  await write("shop.ts", ORDER);
  const body = { id: "7" };
  const cases: [unknown, string[]][] = [
    [{ name: "shop/order", id: "7", data: { size: "10" } }, ["events[0].data.size"]],
    [{ name: "shop/order", data: { size: 10 } }, ["events[0].id", "nothing"]],
    [{ name: "shop/order", id: "7", data: { size: 10 }, ts: 5 }, ["events[0].ts", "expected 5"]],
    [
      [
        { name: "shop/order", id: "7", data: { size: 10 } },
        { name: "b", data: {} },
      ],
      ["events[1]", "got      nothing"],
    ],
    [null, ["events[0]", "expected nothing"]],
  ];
  for (const [expect, words] of cases) {
    await write("fixtures/shop/order.json", { headers: { "X-Topic": "order" }, body, expect });
    const { code, said } = await run(join(folder, "shop.ts"));
    assert.equal(code, 1);
    for (const word of words) assert.ok(said.includes(word), `${word} in ${said}`);
    assert.match(said, /0 passed, 1 failed\.$/);
  }
});

test("the time of an event counts when it is expected", async () => {
  await write(
    "a.js",
    'const transform = () => [{ name: "a/b", data: {}, ts: 5 }, { name: "a/c", data: {} }];',
  );
  const expect = [
    { name: "a/b", data: {}, ts: 5 },
    { name: "a/c", data: {} },
  ];
  await write("fixtures/a/a.json", { body: {}, expect });
  assert.equal((await run(folder)).code, 0);
  await write("fixtures/a/a.json", { body: {}, expect: expect.toReversed() });
  assert.equal((await run(folder)).code, 1);
});

test("errors have file, line and column, and what is wrong with an event its field", async () => {
  await write(
    "run.js",
    "function inner(x) {\n  return x.a.b;\n}\nfunction transform(evt) {\n  return inner(evt);\n}\n",
  );
  await write("fixtures/run/a.json", { body: {} });
  await write("syntax.js", "function transform( {\n");
  await write("event.js", 'const transform = () => ({ name: "svc/mine", data: {} });\n');
  await write("fixtures/event/a.json", { body: {}, expect: null });
  const { code, said } = await run(folder);
  assert.equal(code, 1);
  assert.match(
    said,
    /run\.js:2:\d+: runtime: TypeError: .*\n {6}at inner \(\S+run\.js:2:\d+\)\n {6}at transform \(\S+run\.js:5:\d+\)/,
  );
  assert.match(said, /^FAILED {2}syntax\n {4}\S+syntax\.js:\d+:\d+: /m);
  assert.match(said, /event\.js: invalid_event: /);
  assert.match(said, /0 passed, 3 failed\.$/);
});

test("a transform without fixtures is loaded, and one named fixture is run alone", async () => {
  await write("shop.ts", ORDER);
  const { code, said } = await run(folder);
  assert.equal(code, 0);
  assert.match(
    said,
    /^loaded {2}shop {2}there are no fixtures for it\n0 passed, 0 failed, 1 without fixtures\.$/,
  );
  await write("elsewhere.json", { headers: { "X-Topic": "x" }, body: {} });
  assert.match(
    (await run(join(folder, "shop.ts"), "--fixture", join(folder, "elsewhere.json"))).said,
    /1 passed/,
  );
  assert.match((await run(folder, "--fixture", "x.json")).complained, /name its file instead of a folder/);
});

test("the event filter of the manifest is heeded", async () => {
  await write("shop.ts", ORDER);
  const entry = { name: "Shop", file: "shop.ts", event_filter: { deny: ["shop/secret"] } };
  await write("webhooks.json", { format: 1, webhooks: { shop: entry } });
  await write("fixtures/shop/a.json", { headers: { "X-Topic": "secret" }, body: {}, expect: null });
  const kept = await run(folder);
  assert.equal(kept.code, 0, kept.said);
  assert.match(kept.said, /does not let in shop\/secret/);
  await write("fixtures/shop/a.json", {
    headers: { "X-Topic": "secret" },
    body: {},
    expect: { name: "shop/secret", data: {} },
  });
  assert.equal((await run(folder)).code, 1);
});

test("fixtures that cannot be read are refused with the place, and links are not followed", async () => {
  await write("shop.ts", ORDER);
  const cases: [unknown, RegExp][] = [
    ["{", /a\.json is not JSON/],
    [{ body: {}, expcet: null }, /expcet/],
    [{ body: {}, headers: { a: 1 } }, /headers\.a/],
    [{ body: 1, body_encoding: "base64" }, /must be base64 text/],
    [`{"body":${"[".repeat(600)}${"]".repeat(600)}}`, /nests too deep/],
  ];
  for (const [content, sentence] of cases) {
    await write("fixtures/shop/a.json", content);
    const { code, complained } = await run(folder);
    assert.equal(code, 1);
    assert.match(complained, sentence);
  }
  await rm(join(folder, "fixtures/shop/a.json"));
  await symlink("/etc/hostname", join(folder, "fixtures/shop/a.json"));
  assert.match((await run(folder)).complained, /a\.json is a symbolic link/);
  assert.match((await run(join(folder, "nothing.js"))).complained, /nothing\.js is not there/);
});

test("what a transform logs cannot steer the terminal", async () => {
  await write(
    "a.js",
    'function transform() { console.log("\\u001b[2J\\u0007"); return { name: "a\\u202eb", data: {} }; }',
  );
  await write("fixtures/a/a.json", { body: {} });
  const { said } = await run(folder);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
  assert.doesNotMatch(said, /[\u001b\u0007\u202e]/);
  assert.match(said, /log: \\u001b\[2J\\u0007/);
});

test("the process ends with 1 when a transform never ends, and with 0 when all is well", async () => {
  const svc = (target: string) =>
    spawnSync(process.execPath, [BIN, "webhooks", "test", target], { encoding: "utf8" });
  await write("loop.js", "function transform() { for (;;) {} }");
  await write("fixtures/loop/a.json", { body: {} });
  const looped = svc(join(folder, "loop.js"));
  assert.deepEqual([looped.status, looped.stderr], [1, ""]);
  assert.match(looped.stdout, /loop\.js: timeout: .*\n0 passed, 1 failed\.\n$/);
  await write("good.js", "const transform = () => null;");
  await write("fixtures/good/a.json", { body: {} });
  assert.equal(svc(join(folder, "good.js")).status, 0);
});
