/** Every command and every example of docs/webhooks.md and docs/transforms.md works, in the order of the page. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { canonicalHeaders } from "../../packages/server/src/webhooks/canonical-headers.ts";
import { queryParameters } from "../../packages/server/src/webhooks/query-params.ts";
import { createSandbox } from "../../packages/server/src/webhooks/sandbox/sandbox.ts";
import { API_TOKEN, startService } from "../service.ts";

const run = promisify(execFile);
const SVC = fileURLToPath(new URL("../../packages/server/bin/svc.js", import.meta.url));
const FLAGS = ["--event-key", "docs-event-key-of-webhooks"];

let webhooksPage: string;
let transformsPage: string;
before(async () => {
  webhooksPage = await readFile(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
  transformsPage = await readFile(new URL("../../docs/transforms.md", import.meta.url), "utf8");
});

/** The blocks of a page that begin with this. */
function blocks(page: string, info: string): string[] {
  return [...page.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === info)
    .map(([, , text]) => text!);
}

const commandsOf = (page: string, info: string): string[] =>
  blocks(page, info).flatMap((block) => block.split(/^(?=curl )/m).map((command) => command.trim()));

type Variables = Record<string, string>;

/** Run a curl command as it stands. @returns the parsed body */
async function curl(command: string, variables: Variables) {
  for (const [, name] of command.matchAll(/\$(\w+)/g)) assert.ok(variables[name!], `${name} in ${command}`);
  const script = `curl() { command curl -sS -w '\n%{http_code}' "$@"; }\n${command}`;
  const { stdout } = await run("sh", ["-euc", script], { env: { PATH: process.env.PATH, ...variables } });
  const end = stdout.lastIndexOf("\n");
  const [body, status] = [stdout.slice(0, end), stdout.slice(end + 1)];
  assert.match(status, /^20[024]$/, `${command}\n${body}`);
  return body === "" ? null : JSON.parse(body);
}

async function start(t: TestContext): Promise<Variables & { SVC_URL: string }> {
  const service = await startService("start", FLAGS);
  t.after(() => service.close());
  return { SVC_URL: service.url, SVC_API_TOKEN: API_TOKEN };
}

test("the commands about webhooks work as they stand", async (t) => {
  if (process.platform === "win32") return t.skip("the commands are for a POSIX shell");
  const variables: Variables = await start(t);
  const commands = commandsOf(webhooksPage, "sh");
  assert.ok(commands.length >= 15);
  for (const command of commands) {
    const answer = await curl(command, variables);
    if (variables.WEBHOOK_ID === undefined) {
      variables.WEBHOOK_ID = answer.data.id;
      variables.WEBHOOK_URL = answer.data.url;
    }
    if (/\/requests" /.test(command)) variables.REQUEST_ID = answer.data[0].id;
    // Posted to the webhook: its example of a transform made an event of it.
    if (command.includes("$WEBHOOK_URL")) assert.deepEqual([answer.status, answer.ids.length], [200, 1]);
  }
});

test("a request that names no branch is routed to one later, as the page says", async (t) => {
  if (process.platform === "win32") return t.skip("the commands are for a POSIX shell");
  const variables: Variables = await start(t);
  const api = async (path: string, body: object) =>
    await (
      await fetch(variables.SVC_URL + path, {
        method: "POST",
        headers: { authorization: `Bearer ${API_TOKEN}` },
        body: JSON.stringify(body),
      })
    ).json();
  const transform = 'const transform = () => ({ name: "a/b", data: {} });';
  const { data } = await api("/v1/webhooks", { name: "shared", environment: "branches", transform });
  const lost = await (await fetch(data.url, { method: "POST" })).json();
  assert.equal(lost.code, "unrouted");
  await api("/v1/environments", { name: "feature/checkout", type: "branch" });
  const named = await fetch(`${data.url}?x-svc-env=feature/checkout`, { method: "POST" });
  assert.equal(named.status, 200);
  const list = `curl "$SVC_URL/v1/webhooks/${data.id}/requests?status=unrouted" -H "authorization: Bearer $SVC_API_TOKEN"`;
  variables.REQUEST_ID = (await curl(list, variables)).data[0].id;
  const [command] = commandsOf(webhooksPage, "sh branches");
  assert.equal((await curl(command!, variables)).data.status, "accepted");
});

test("the commands about transforms work as they stand", async (t) => {
  if (process.platform === "win32") return t.skip("the commands are for a POSIX shell");
  const variables = await start(t);
  for (const command of commandsOf(transformsPage, "sh")) {
    const { data } = await curl(command, variables);
    assert.deepEqual([data.status, data.events[0].name], ["events", "shop/order.created"]);
  }
  const folder = await mkdtemp(join(tmpdir(), "svc-docs-"));
  t.after(() => rm(folder, { recursive: true }));
  const [transform] = blocks(transformsPage, "js");
  const [fixture, manifest] = blocks(transformsPage, "json");
  const hooks = join(folder, "hooks");
  await mkdir(join(hooks, "fixtures/shop"), { recursive: true });
  await writeFile(join(hooks, "shop.js"), transform!);
  for (const name of ["hooks/fixtures/shop/order.json", "order.json"])
    await writeFile(join(folder, name), fixture!);
  const svc = async (lines: string) => {
    const script = `svc() { "${process.execPath}" "${SVC}" "$@"; }\n${lines}`;
    const env = { PATH: process.env.PATH, ...variables };
    return await run("sh", ["-euc", script], { env, cwd: folder }).catch((error) => error);
  };
  const [testing, sharing] = blocks(transformsPage, "sh cli");
  const tested = await svc(testing!);
  assert.equal(tested.stdout.match(/^1 passed, 0 failed\.$/gm)?.length, 3, tested.stdout + tested.stderr);

  await writeFile(join(hooks, "webhooks.json"), manifest!);
  assert.match((await svc("svc webhooks push hooks --url $SVC_URL")).stdout, /^shop {2}created as /m);
  const shared = await svc(sharing!);
  assert.equal(shared.stderr, "");
  assert.match(shared.stdout, /^shop {2}unchanged\nshop {2}unchanged\nNothing to push\./);

  await writeFile(join(hooks, "shop.js"), transform!.replace(/, shop: [^}]*/, " "));
  const failed = await svc("svc webhooks test hooks");
  assert.equal(failed.code, 1);
  assert.equal(failed.stdout, blocks(transformsPage, "text")[0]);
});

test("the examples of transforms can be loaded, and the tables of headers and queries are true", async (t) => {
  const sandbox = createSandbox({ workers: 1 });
  t.after(() => sandbox.close());
  const examples = blocks(transformsPage, "js");
  assert.ok(examples.length >= 8);
  for (const source of examples) assert.equal(await sandbox.check(source), null, source);

  const rows = [...transformsPage.matchAll(/^\| `([\w-]+: [^`]+)`(?: and `([^`]+)`)? \| `([^`]+)` \|$/gm)];
  assert.equal(rows.length, 7);
  for (const [, first, second, shown] of rows) {
    const sent = [first, second].filter((line) => line !== undefined).flatMap((line) => line!.split(": "));
    assert.deepEqual({ ...canonicalHeaders(sent) }, JSON.parse(`{${shown}}`));
  }
  const queries = [...transformsPage.matchAll(/^\| `(\?[^`]+)` \| `([^`]+)` \|$/gm)];
  assert.equal(queries.length, 4);
  for (const [, query, shown] of queries) {
    const quoted = shown!.replace(/(\w+):/g, '"$1":');
    assert.deepEqual({ ...queryParameters(query!) }, JSON.parse(quoted));
  }
});
