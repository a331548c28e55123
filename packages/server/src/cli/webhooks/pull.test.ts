import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { hooksFolder, ONE, THREE, TWO, TYPED } from "../../../test/hooks-folder.ts";
import { isTypeScript } from "./pull.ts";

const hooks = hooksFolder();
const { api, listed, read, create, run, write, manifest } = hooks;

test("a pull writes transforms and settings, and neither addresses nor keys", async () => {
  await create("Café Orders", ONE, { rate_limit: { requests: 5, per: "second" } });
  await create("Typed", TYPED);
  const { code, said } = await run("pull", hooks.folder());
  assert.equal(code, 0, said);
  assert.equal(await read("cafe-orders.js"), ONE);
  assert.equal(await read("typed.ts"), TYPED);
  const { webhooks, pulled } = await manifest();
  assert.deepEqual(webhooks["cafe-orders"], {
    name: "Café Orders",
    file: "cafe-orders.js",
    event_filter: null,
    ip_filter: null,
    rate_limit: { requests: 5, per: "second" },
    paused: false,
  });
  assert.equal(Object.keys(pulled).length, 2);
  const [{ url }] = await listed();
  const key = url.split("/e/")[1];
  assert.ok(key.length > 20);
  assert.doesNotMatch(await read("webhooks.json"), /\/e\/|https?:/);
  assert.ok(!(await read("webhooks.json")).includes(key));
});

test("names that make the same slug get files of their own, which they keep", async () => {
  await create("Orders!", ONE);
  await create("orders", TWO);
  await create("Con", THREE);
  await run("pull", hooks.folder());
  assert.deepEqual([await read("orders.js"), await read("orders-2.js")], [ONE, TWO]);
  assert.equal(await read("con-webhook.js"), THREE);
  const [first] = await listed();
  await api("PATCH", `/v1/webhooks/${first.id}`, { name: "zzz" });
  const { said } = await run("pull", hooks.folder());
  assert.match(said, /^orders {2}updated: name$/m);
  assert.equal((await manifest()).webhooks.orders.name, "zzz");
});

test("more webhooks than fit on a page of the API are pulled", async () => {
  for (let i = 0; i < 23; i++) await create(`hook ${i}`, ONE);
  await run("pull", hooks.folder());
  assert.equal(Object.keys((await manifest()).webhooks).length, 23);
});

test("a pull takes what changed at the service, and keeps what changed here unless it is forced", async () => {
  const { id } = await create("a", ONE);
  await create("b", ONE);
  await run("pull", hooks.folder());
  await api("PATCH", `/v1/webhooks/${id}`, { transform: TWO });
  assert.match(
    (await run("pull", hooks.folder())).said,
    /^a {2}updated: a\.js \(version 1 -> 2\)\nb {2}unchanged$/,
  );
  assert.equal(await read("a.js"), TWO);

  await write("a.js", THREE);
  assert.match((await run("pull", hooks.folder())).said, /^a {2}kept: a\.js was changed here; --force/);
  await api("PATCH", `/v1/webhooks/${id}`, { transform: ONE });
  const kept = await run("pull", hooks.folder());
  assert.match(kept.said, /^a {2}kept: a\.js was changed here, and the service has version 3 instead of 2;/);
  assert.equal(await read("a.js"), THREE);
  await run("pull", hooks.folder(), "--force");
  assert.equal(await read("a.js"), ONE);
});

test("settings changed here survive a pull, and settings that are left out stay out", async () => {
  const { id } = await create("a", ONE);
  await run("pull", hooks.folder());
  const content = await manifest();
  content.webhooks.a.rate_limit = { requests: 1, per: "hour" };
  delete content.webhooks.a.paused;
  await write("webhooks.json", content);
  await api("PATCH", `/v1/webhooks/${id}`, { paused: true });
  assert.match((await run("pull", hooks.folder())).said, /^a {2}kept: rate_limit was changed here/);
  assert.deepEqual((await manifest()).webhooks.a.rate_limit, { requests: 1, per: "hour" });
  const pushed = await run("push", hooks.folder());
  assert.equal(pushed.code, 0, pushed.said);
  const [there] = await listed();
  assert.deepEqual([there.rate_limit, there.paused], [{ requests: 1, per: "hour" }, true]);
  assert.equal("paused" in (await manifest()).webhooks.a, false);
});

test("JavaScript is told from TypeScript, modules and all", () => {
  const transform = "function transform(evt) { return a < b > (c); }";
  const scripts = [
    transform,
    `export ${transform}`,
    `export default ${transform}`,
    "export default (evt) => null;",
    "export default function (evt) { return null; }",
    `${transform}\nexport { transform, transform as other };`,
    "const x = await 1;\nexport const transform = () => x;",
    "#!/usr/bin/env node\nconst transform = () => null;",
  ];
  for (const source of scripts) assert.equal(isTypeScript(source), false, source);
  const typed = [
    TYPED,
    "interface A { b: string }\nexport default (evt: A) => null;",
    "const transform = (evt) => evt as unknown;",
    "type A = string;\nfunction transform(evt) {}",
  ];
  for (const source of typed) assert.equal(isTypeScript(source), true, source);
});

test("a transform that became TypeScript changes its file", async () => {
  const { id } = await create("a", ONE);
  await run("pull", hooks.folder());
  await api("PATCH", `/v1/webhooks/${id}`, { transform: TYPED });
  await run("pull", hooks.folder());
  assert.deepEqual((await readdir(hooks.folder())).sort(), ["a.ts", "webhooks.json"]);
  assert.equal((await manifest()).webhooks.a.file, "a.ts");
});

test("a pull writes through no link", async () => {
  await create("a", ONE);
  const outside = join(hooks.folder(), "outside");
  await mkdir(join(hooks.folder(), "in"));
  await writeFile(outside, "untouched");
  await symlink(outside, join(hooks.folder(), "in", "a.js"));
  const { code, complained } = await run("pull", join(hooks.folder(), "in"), "--force");
  assert.equal(code, 1);
  assert.match(complained, /symbolic link/);
  assert.equal(await readFile(outside, "utf8"), "untouched");
});

test("fixtures are saved without credentials, kept as they are, and pass their own test", async () => {
  const { url } = await create("a", ONE);
  const send = async (body: string | Uint8Array<ArrayBuffer>, type: string) => {
    const headers = {
      "content-type": type,
      authorization: "Bearer secret",
      cookie: "s=1",
      "x-signature": "abc",
    };
    const answer = await fetch(`${hooks.url()}/e/${url.split("/e/")[1]}?shop=eu`, {
      method: "POST",
      body,
      headers,
    });
    assert.ok(answer.ok);
  };
  await send('{"n":1}', "application/json");
  await send(new Uint8Array([0xff, 0xfe]), "application/octet-stream");
  const { code, said } = await run("pull", hooks.folder(), "--fixtures", "10");
  assert.equal(code, 0);
  assert.match(said, /2 requests saved in fixtures\/a, without Authorization and Cookie/);
  const names = (await readdir(join(hooks.folder(), "fixtures/a"))).sort();
  assert.equal((await stat(join(hooks.folder(), "fixtures/a", names[0]!))).mode & 0o77, 0);
  const [text, binary] = await Promise.all(
    names.map(async (name) => JSON.parse(await read(`fixtures/a/${name}`))),
  );
  assert.equal(text.headers["X-Signature"], "abc");
  assert.equal("Authorization" in text.headers || "Cookie" in text.headers, false);
  assert.deepEqual([text.body, text.query, text.method], ['{"n":1}', "shop=eu", "POST"]);
  assert.deepEqual([binary.body, binary.body_encoding], ["//4=", "base64"]);

  await write(`fixtures/a/${names[0]}`, { ...text, expect: { name: "a/one", data: { n: 2 } } });
  assert.doesNotMatch((await run("pull", hooks.folder(), "--fixtures", "10")).said, /saved/);
  const tested = await run("test", hooks.folder());
  assert.equal(tested.code, 1);
  assert.match(tested.said, / {4}events\[0\]\.data\.n\n {6}expected 2\n {6}got {6}1\n/);
  assert.match(tested.said, /1 passed, 1 failed\.$/);
});
