import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { API_TOKEN, startService, type TestService } from "../../../../../test/service.ts";
import { listen } from "../../../test/listen.ts";
import { ConfigError } from "../../config.ts";
import { isTypeScript } from "./pull.ts";
import { runWebhooks } from "./webhooks.ts";

let service: TestService;
let folder: string;

before(async () => {
  service = await startService("start", ["--event-key", "svc_evt_for-the-tests-of-webhooks-as-code"]);
});
after(() => service.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-webhooks-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  for (const { id } of await listed()) await api("DELETE", `/v1/webhooks/${id}`);
  for (const { id } of await listed("branches")) await api("DELETE", `/v1/webhooks/${id}`);
});

type Json = ReturnType<typeof JSON.parse>;

async function api(method: string, path: string, body?: unknown): Promise<Json> {
  const headers = { authorization: `Bearer ${API_TOKEN}` };
  const response = await fetch(service.url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, text);
  return text === "" ? null : JSON.parse(text).data;
}

const listed = (env = "production"): Promise<Json[]> => api("GET", `/v1/webhooks?limit=200&env=${env}`);
const create = (name: string, transform: string, more: object = {}): Promise<Json> =>
  api("POST", "/v1/webhooks", { name, transform, ...more });

/** Run a command against the service. */
async function run(...argv: string[]) {
  const remote = argv[0] === "test" ? [] : ["--url", service.url];
  return await runAnywhere([...argv, ...remote], { SVC_API_TOKEN: API_TOKEN });
}

async function runAnywhere(argv: string[], env: Record<string, string> = {}) {
  const said: string[] = [];
  const complained: string[] = [];
  const output = {
    say: (line: string) => void said.push(line),
    complain: (line: string) => void complained.push(line),
  };
  const code = await runWebhooks(argv, env, output);
  return { code, said: said.join("\n"), complained: complained.join("\n") };
}

const read = (name: string) => readFile(join(folder, name), "utf8");
async function write(name: string, content: unknown): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
}
const manifest = async (): Promise<Json> => JSON.parse(await read("webhooks.json"));

const ONE = 'function transform(evt) {\n  return { name: "a/one", data: evt };\n}\n';
const TWO = 'function transform(evt) {\n  return { name: "a/two", data: evt };\n}\n';
const THREE = 'function transform(evt) {\n  return { name: "a/three", data: evt };\n}\n';
const TYPED =
  'export function transform(evt: { id: string }) {\n  return { name: "a/typed", data: evt };\n}\n';

test("a pull writes transforms and settings, and neither addresses nor keys", async () => {
  await create("Café Orders", ONE, { rate_limit: { requests: 5, per: "second" } });
  await create("Typed", TYPED);
  const { code, said } = await run("pull", folder);
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
  await run("pull", folder);
  assert.deepEqual([await read("orders.js"), await read("orders-2.js")], [ONE, TWO]);
  assert.equal(await read("con-webhook.js"), THREE);
  const [first] = await listed();
  await api("PATCH", `/v1/webhooks/${first.id}`, { name: "zzz" });
  const { said } = await run("pull", folder);
  assert.match(said, /^orders {2}updated: name$/m);
  assert.equal((await manifest()).webhooks.orders.name, "zzz");
});

test("more webhooks than fit on a page of the API are pulled", async () => {
  for (let i = 0; i < 23; i++) await create(`hook ${i}`, ONE);
  await run("pull", folder);
  assert.equal(Object.keys((await manifest()).webhooks).length, 23);
});

test("a pull takes what changed at the service, and keeps what changed here unless it is forced", async () => {
  const { id } = await create("a", ONE);
  await create("b", ONE);
  await run("pull", folder);
  await api("PATCH", `/v1/webhooks/${id}`, { transform: TWO });
  assert.match((await run("pull", folder)).said, /^a {2}updated: a\.js \(version 1 -> 2\)\nb {2}unchanged$/);
  assert.equal(await read("a.js"), TWO);

  await write("a.js", THREE);
  assert.match((await run("pull", folder)).said, /^a {2}kept: a\.js was changed here; --force/);
  await api("PATCH", `/v1/webhooks/${id}`, { transform: ONE });
  const kept = await run("pull", folder);
  assert.match(kept.said, /^a {2}kept: a\.js was changed here, and the service has version 3 instead of 2;/);
  assert.equal(await read("a.js"), THREE);
  await run("pull", folder, "--force");
  assert.equal(await read("a.js"), ONE);
});

test("settings changed here survive a pull, and settings that are left out stay out", async () => {
  const { id } = await create("a", ONE);
  await run("pull", folder);
  const content = await manifest();
  content.webhooks.a.rate_limit = { requests: 1, per: "hour" };
  delete content.webhooks.a.paused;
  await write("webhooks.json", content);
  await api("PATCH", `/v1/webhooks/${id}`, { paused: true });
  assert.match((await run("pull", folder)).said, /^a {2}kept: rate_limit was changed here/);
  assert.deepEqual((await manifest()).webhooks.a.rate_limit, { requests: 1, per: "hour" });
  const pushed = await run("push", folder);
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
  await run("pull", folder);
  await api("PATCH", `/v1/webhooks/${id}`, { transform: TYPED });
  await run("pull", folder);
  assert.deepEqual((await readdir(folder)).sort(), ["a.ts", "webhooks.json"]);
  assert.equal((await manifest()).webhooks.a.file, "a.ts");
});

test("a push says what it will do, does it, and has nothing left to do then", async () => {
  const { id } = await create("a", ONE);
  await run("pull", folder);
  await write("a.js", TWO);
  await write("new.ts", TYPED);
  const content = await manifest();
  content.webhooks.a.name = "renamed";
  content.webhooks.fresh = { name: "Fresh", file: "new.ts", paused: true, event_filter: { allow: ["a/*"] } };
  await write("webhooks.json", content);

  const dry = await run("push", folder, "--dry-run");
  assert.equal(dry.code, 0);
  assert.equal(
    dry.said,
    "a  update transform v1 -> v2, name\nfresh  create\nNothing was pushed: this was a dry run.",
  );
  assert.equal((await listed()).length, 1);

  const done = await run("push", folder);
  assert.equal(done.code, 0, done.complained);
  assert.match(done.said, /2 pushed\.$/);
  const [first, second] = await listed();
  assert.deepEqual([first.id, first.name, first.version, first.transform], [id, "renamed", 2, TWO]);
  assert.deepEqual([second.name, second.transform, second.paused], ["Fresh", TYPED, true]);
  assert.deepEqual(second.event_filter, { allow: ["a/*"], deny: [] });

  assert.equal((await run("push", folder)).said, "a  unchanged\nfresh  unchanged\nNothing to push.");
});

test("a folder can be pushed to an environment that it did not come from", async () => {
  await create("a", ONE);
  await run("pull", folder);
  const first = await run("push", folder, "--env", "branches");
  assert.equal(first.code, 0, first.complained);
  assert.equal((await listed("branches"))[0].transform, ONE);
  await write("a.js", TWO);
  assert.equal((await run("push", folder, "--env", "branches")).code, 0);
  assert.equal((await run("push", folder)).code, 0);
  assert.deepEqual([(await listed())[0].version, (await listed("branches"))[0].version], [2, 2]);
  await assert.rejects(run("push", folder, "--env"), ConfigError);
  assert.match((await run("push", folder, "--env", "nowhere")).complained, /There is no such environment/);
});

test("a push refuses to overwrite what was changed at the service since the pull", async () => {
  const { id } = await create("a", ONE);
  await create("b", ONE);
  await run("pull", folder);
  await api("PATCH", `/v1/webhooks/${id}`, { transform: TWO });
  await write("a.js", THREE);
  await write("b.js", TWO);
  const refused = await run("push", folder);
  assert.equal(refused.code, 1);
  assert.match(
    refused.said,
    /^a {2}refused: The service has version 2 of the transform, and version 1 was pulled\./m,
  );
  assert.equal(refused.complained, "Nothing was pushed.");
  assert.deepEqual(
    (await listed()).map(({ version }) => version),
    [2, 1],
  );

  assert.equal((await run("push", folder, "--force")).code, 0);
  assert.deepEqual(
    (await listed()).map(({ transform }) => transform),
    [THREE, TWO],
  );
});

test("settings changed at the service, and webhooks never pulled, are not overwritten either", async () => {
  const { id } = await create("a", ONE);
  await run("pull", folder);
  await api("PATCH", `/v1/webhooks/${id}`, { paused: true });
  assert.match((await run("push", folder)).said, /a {2}refused: paused was changed at the service/);

  const content = await manifest();
  await write("webhooks.json", { ...content, pulled: {} });
  await write("a.js", TWO);
  const refused = await run("push", folder);
  assert.equal(refused.code, 1);
  assert.match(refused.said, /of the name "a" that was never pulled into this folder/);
});

test("somebody who saves between the plan and the push wins", async () => {
  const { id } = await create("a", ONE);
  await run("pull", folder);
  await write("a.js", TWO);
  // Changes the webhook behind the back of the push, between its list and its PATCH.
  const between = await listen(async (request, response) => {
    if (request.method === "PATCH") await api("PATCH", `/v1/webhooks/${id}`, { transform: THREE });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = await fetch(service.url + request.url, {
      method: request.method!,
      headers: { authorization: request.headers.authorization! },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status).end(await answer.text());
  });
  try {
    const argv = ["push", folder, "--url", between.origin];
    const { code, complained } = await runAnywhere(argv, { SVC_API_TOKEN: API_TOKEN });
    assert.equal(code, 1);
    assert.match(
      complained,
      /^a: Somebody has saved another version of the transform meanwhile\.\n0 pushed, 1 failed\.$/,
    );
    assert.equal((await listed())[0].transform, THREE);
  } finally {
    await between.close();
  }
});

test("webhooks that the folder does not list are deleted only when asked", async () => {
  await create("a", ONE);
  await run("pull", folder);
  await create("other", TWO);
  const alone = await run("push", folder);
  assert.match(alone.said, /^other {2}left alone: .*--delete/m);
  assert.equal((await listed()).length, 2);
  assert.match((await run("push", folder, "--delete", "--dry-run")).said, /^other {2}delete/m);
  assert.equal((await listed()).length, 2);
  assert.equal((await run("push", folder, "--delete")).code, 0);
  assert.deepEqual(
    (await listed()).map(({ name }) => name),
    ["a"],
  );
});

test("a folder that knows no webhook of the environment does not delete them all", async () => {
  await create("precious", ONE);
  await write("webhooks.json", { format: 1, webhooks: { a: { name: "a", file: "a.js" } } });
  await write("a.js", ONE);
  const { code, complained } = await run("push", folder, "--delete");
  assert.equal(code, 1);
  assert.match(complained, /all of them would be deleted: is --env right\?/);
  assert.equal((await listed()).length, 1);
  assert.equal((await run("push", folder, "--delete", "--force")).code, 0);
  assert.deepEqual(
    (await listed()).map(({ name }) => name),
    ["a"],
  );
});

test("code that cannot be used is shown with its place, and nothing is pushed", async () => {
  await create("a", ONE);
  await create("b", ONE);
  await run("pull", folder);
  await write("a.js", TWO);
  await write("b.js", "function transform(evt) {\n  return { name: };\n}\n");
  const { code, complained } = await run("push", folder);
  assert.equal(code, 1);
  assert.match(complained, /^\S+\/b\.js:2:18: .+\nNothing was pushed\.$/);
  assert.deepEqual(
    (await listed()).map(({ version }) => version),
    [1, 1],
  );
});

test("a name that fits several webhooks is not guessed about", async () => {
  await create("same", ONE);
  await create("same", TWO);
  await write("webhooks.json", { format: 1, webhooks: { a: { name: "same", file: "a.js" } } });
  await write("a.js", THREE);
  for (const command of ["push", "pull"]) {
    const { code, complained } = await run(command, folder, "--force");
    assert.equal(code, 1);
    assert.match(complained, /"same" fits 1 webhooks here and 2 of the service/);
  }
});

test("manifests and files that lead out of the folder are refused", async () => {
  const entry = (file: string) => ({ format: 1, webhooks: { a: { name: "a", file } } });
  for (const file of [
    "../a.js",
    "/etc/passwd",
    "b/a.js",
    "..\\a.js",
    ".a.js",
    "a.json",
    "a.js\0",
    "C:a.js",
    "",
  ]) {
    await write("webhooks.json", entry(file));
    const { code, complained } = await run("push", folder);
    assert.equal(code, 1, file);
    assert.match(complained, /webhooks\.a\.file: must be the name of a \.js or \.ts file/, file);
  }
  for (const slug of ["../x", "A", "__proto__", "", "a/b", "-a"]) {
    await write(
      "webhooks.json",
      `{"format":1,"webhooks":{${JSON.stringify(slug)}:{"name":"a","file":"a.js"}}}`,
    );
    assert.equal((await run("push", folder)).code, 1, slug);
  }
  const secret = join(folder, "secret");
  await writeFile(secret, ONE);
  await symlink(secret, join(folder, "a.js"));
  await write("webhooks.json", entry("a.js"));
  const linked = await run("push", folder);
  assert.match(linked.complained, /a\.js is a symbolic link/);
  assert.equal((await listed()).length, 0);
});

test("a pull writes through no link", async () => {
  await create("a", ONE);
  const outside = join(folder, "outside");
  await mkdir(join(folder, "in"));
  await writeFile(outside, "untouched");
  await symlink(outside, join(folder, "in", "a.js"));
  const { code, complained } = await run("pull", join(folder, "in"), "--force");
  assert.equal(code, 1);
  assert.match(complained, /symbolic link/);
  assert.equal(await readFile(outside, "utf8"), "untouched");
});

test("manifests that say too much, too little or the same twice are refused with the place", async () => {
  const cases: [unknown, RegExp][] = [
    ["{", /webhooks\.json is not JSON/],
    [{ format: 2, webhooks: {} }, /format: must be 1/],
    [{ format: 1, webhooks: { a: { name: "a", file: "a.js", colour: 1 } } }, /webhooks\.a: .*colour/],
    [{ format: 1, webhooks: { a: { name: "a" } } }, /webhooks\.a\.file/],
    [{ format: 1, webhooks: { a: { name: "a", file: "a.js", rate_limit: 5 } } }, /webhooks\.a\.rate_limit/],
    [
      { format: 1, webhooks: { a: { name: "a", file: "a.js" }, b: { name: "b", file: "A.js" } } },
      /two webhooks have the file A\.js/,
    ],
    [
      { format: 1, webhooks: { a: { name: "a", file: "a.js" } } },
      /a\.js is not there, and webhooks\.json names it for a/,
    ],
  ];
  for (const [content, sentence] of cases) {
    await write("webhooks.json", content);
    const { code, complained } = await run("push", folder);
    assert.equal(code, 1);
    assert.match(complained, sentence);
  }
});

test("a bad token, an unreachable service and an address of something else are one sentence each", async () => {
  await create("a", ONE);
  const at = (url: string, env = {}) => runAnywhere(["pull", folder, "--url", url], env);
  assert.deepEqual(await at(service.url, { SVC_API_TOKEN: "wrong" }), {
    code: 1,
    said: "",
    complained: "The API token is unknown or has been revoked. Set SVC_API_TOKEN, or pass --token.",
  });
  assert.match((await at(service.url)).complained, /An API token is needed/);
  const gone = await listen(() => {});
  await gone.close();
  const unreachable = `${gone.origin} cannot be reached: nothing listens there.`;
  assert.equal((await at(gone.origin)).complained, unreachable);

  const answers: [number, string, RegExp][] = [
    [200, "<html>", /answered 200 with something that is not JSON/],
    [302, "", /answered with a redirect \(302\)/],
    [200, '{"data":[{"id":"../../x"}],"page":{}}', /are both of the same version\?/],
    [500, '{"error":"bad\\u001b[31m"}', /^bad\\u001b\[31m$/],
  ];
  let answer = answers[0]!;
  const other = await listen((_request, response) => {
    response.writeHead(answer[0], { location: service.url }).end(answer[1]);
  });
  try {
    for (answer of answers) {
      const { code, complained } = await at(other.origin, { SVC_API_TOKEN: API_TOKEN });
      assert.equal(code, 1);
      assert.match(complained, answer[2]);
    }
  } finally {
    await other.close();
  }
  assert.deepEqual(await readdir(folder), []);
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
    const answer = await fetch(`${service.url}/e/${url.split("/e/")[1]}?shop=eu`, {
      method: "POST",
      body,
      headers,
    });
    assert.ok(answer.ok);
  };
  await send('{"n":1}', "application/json");
  await send(new Uint8Array([0xff, 0xfe]), "application/octet-stream");
  const { code, said } = await run("pull", folder, "--fixtures", "10");
  assert.equal(code, 0);
  assert.match(said, /2 requests saved in fixtures\/a, without Authorization and Cookie/);
  const names = (await readdir(join(folder, "fixtures/a"))).sort();
  assert.equal((await stat(join(folder, "fixtures/a", names[0]!))).mode & 0o77, 0);
  const [text, binary] = await Promise.all(
    names.map(async (name) => JSON.parse(await read(`fixtures/a/${name}`))),
  );
  assert.equal(text.headers["X-Signature"], "abc");
  assert.equal("Authorization" in text.headers || "Cookie" in text.headers, false);
  assert.deepEqual([text.body, text.query, text.method], ['{"n":1}', "shop=eu", "POST"]);
  assert.deepEqual([binary.body, binary.body_encoding], ["//4=", "base64"]);

  await write(`fixtures/a/${names[0]}`, { ...text, expect: { name: "a/one", data: { n: 2 } } });
  assert.doesNotMatch((await run("pull", folder, "--fixtures", "10")).said, /saved/);
  const tested = await run("test", folder);
  assert.equal(tested.code, 1);
  assert.match(tested.said, / {4}events\[0\]\.data\.n\n {6}expected 2\n {6}got {6}1\n/);
  assert.match(tested.said, /1 passed, 1 failed\.$/);
});

test("command lines that cannot be used are turned away before anything is done", async () => {
  const cases: [string[], RegExp][] = [
    [["pul"], /Did you mean `svc webhooks pull`/],
    [["pull"], /<dir> is missing/],
    [["pull", "a", "b"], /"b" is not expected here/],
    [["test", "a", "--dry-run"], /--dry-run is not a flag of `svc webhooks test`/],
    [["push", "a", "--dry-rnu"], /Did you mean --dry-run\?/],
    [["push", "a", "--url"], /--url needs a value/],
    [["push", "a", "--url", "ftp://x"], /is no address/],
    [["push", "a", "--force=no"], /--force takes no value/],
    [["pull", "a", "--fixtures", "0"], /not a number from 1 to 100/],
    [["pull", "a", "--constructor"], /--constructor is not a flag/],
  ];
  for (const [argv, message] of cases) {
    await assert.rejects(
      runAnywhere(argv),
      (error) => error instanceof ConfigError && message.test(error.message),
    );
  }
  for (const argv of [[], ["--help"], ["push", "--help"]]) assert.equal((await runAnywhere(argv)).code, 0);
});
