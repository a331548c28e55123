import assert from "node:assert/strict";
import { readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { API_TOKEN } from "../../../../../test/service.ts";
import { hooksFolder, ONE, runAnywhere } from "../../../test/hooks-folder.ts";
import { listen } from "../../../test/listen.ts";
import { ConfigError } from "../../config.ts";

const hooks = hooksFolder();
const { listed, create, run, write } = hooks;

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
    const { code, complained } = await run("push", hooks.folder());
    assert.equal(code, 1, file);
    assert.match(complained, /webhooks\.a\.file: must be the name of a \.js or \.ts file/, file);
  }
  for (const slug of ["../x", "A", "__proto__", "", "a/b", "-a"]) {
    await write(
      "webhooks.json",
      `{"format":1,"webhooks":{${JSON.stringify(slug)}:{"name":"a","file":"a.js"}}}`,
    );
    assert.equal((await run("push", hooks.folder())).code, 1, slug);
  }
  const secret = join(hooks.folder(), "secret");
  await writeFile(secret, ONE);
  await symlink(secret, join(hooks.folder(), "a.js"));
  await write("webhooks.json", entry("a.js"));
  const linked = await run("push", hooks.folder());
  assert.match(linked.complained, /a\.js is a symbolic link/);
  assert.equal((await listed()).length, 0);
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
    const { code, complained } = await run("push", hooks.folder());
    assert.equal(code, 1);
    assert.match(complained, sentence);
  }
});

test("a bad token, an unreachable service and an address of something else are one sentence each", async () => {
  await create("a", ONE);
  const at = (url: string, env = {}) => runAnywhere(["pull", hooks.folder(), "--url", url], env);
  assert.deepEqual(await at(hooks.url(), { SVC_API_TOKEN: "wrong" }), {
    code: 1,
    said: "",
    complained: "The API token is unknown or has been revoked. Set SVC_API_TOKEN, or pass --token.",
  });
  assert.match((await at(hooks.url())).complained, /An API token is needed/);
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
    response.writeHead(answer[0], { location: hooks.url() }).end(answer[1]);
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
  assert.deepEqual(await readdir(hooks.folder()), []);
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
