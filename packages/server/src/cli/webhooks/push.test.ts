import assert from "node:assert/strict";
import { test } from "node:test";
import { API_TOKEN } from "../../../../../test/service.ts";
import { hooksFolder, ONE, runAnywhere, THREE, TWO, TYPED } from "../../../test/hooks-folder.ts";
import { listen } from "../../../test/listen.ts";
import { ConfigError } from "../../config.ts";

const hooks = hooksFolder();
const { api, listed, create, run, write, manifest } = hooks;

test("a push says what it will do, does it, and has nothing left to do then", async () => {
  const { id } = await create("a", ONE);
  await run("pull", hooks.folder());
  await write("a.js", TWO);
  await write("new.ts", TYPED);
  const content = await manifest();
  content.webhooks.a.name = "renamed";
  content.webhooks.fresh = { name: "Fresh", file: "new.ts", paused: true, event_filter: { allow: ["a/*"] } };
  await write("webhooks.json", content);

  const dry = await run("push", hooks.folder(), "--dry-run");
  assert.equal(dry.code, 0);
  assert.equal(
    dry.said,
    "a  update transform v1 -> v2, name\nfresh  create\nNothing was pushed: this was a dry run.",
  );
  assert.equal((await listed()).length, 1);

  const done = await run("push", hooks.folder());
  assert.equal(done.code, 0, done.complained);
  assert.match(done.said, /2 pushed\.$/);
  const [first, second] = await listed();
  assert.deepEqual([first.id, first.name, first.version, first.transform], [id, "renamed", 2, TWO]);
  assert.deepEqual([second.name, second.transform, second.paused], ["Fresh", TYPED, true]);
  assert.deepEqual(second.event_filter, { allow: ["a/*"], deny: [] });

  assert.equal((await run("push", hooks.folder())).said, "a  unchanged\nfresh  unchanged\nNothing to push.");
});

test("a folder can be pushed to an environment that it did not come from", async () => {
  await create("a", ONE);
  await run("pull", hooks.folder());
  const first = await run("push", hooks.folder(), "--env", "branches");
  assert.equal(first.code, 0, first.complained);
  assert.equal((await listed("branches"))[0].transform, ONE);
  await write("a.js", TWO);
  assert.equal((await run("push", hooks.folder(), "--env", "branches")).code, 0);
  assert.equal((await run("push", hooks.folder())).code, 0);
  assert.deepEqual([(await listed())[0].version, (await listed("branches"))[0].version], [2, 2]);
  await assert.rejects(run("push", hooks.folder(), "--env"), ConfigError);
  assert.match(
    (await run("push", hooks.folder(), "--env", "nowhere")).complained,
    /There is no such environment/,
  );
});

test("a push refuses to overwrite what was changed at the service since the pull", async () => {
  const { id } = await create("a", ONE);
  await create("b", ONE);
  await run("pull", hooks.folder());
  await api("PATCH", `/v1/webhooks/${id}`, { transform: TWO });
  await write("a.js", THREE);
  await write("b.js", TWO);
  const refused = await run("push", hooks.folder());
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

  assert.equal((await run("push", hooks.folder(), "--force")).code, 0);
  assert.deepEqual(
    (await listed()).map(({ transform }) => transform),
    [THREE, TWO],
  );
});

test("settings changed at the service, and webhooks never pulled, are not overwritten either", async () => {
  const { id } = await create("a", ONE);
  await run("pull", hooks.folder());
  await api("PATCH", `/v1/webhooks/${id}`, { paused: true });
  assert.match((await run("push", hooks.folder())).said, /a {2}refused: paused was changed at the service/);

  const content = await manifest();
  await write("webhooks.json", { ...content, pulled: {} });
  await write("a.js", TWO);
  const refused = await run("push", hooks.folder());
  assert.equal(refused.code, 1);
  assert.match(refused.said, /of the name "a" that was never pulled into this folder/);
});

/** Push by way of a listener that may do something, and refuse, before it hands a request on. */
async function pushThrough(meddle: (method: string) => Promise<number | undefined>) {
  const between = await listen(async (request, response) => {
    const refusal = await meddle(request.method!);
    if (refusal !== undefined) return void response.writeHead(refusal).end('{"error":"Not now."}');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = await fetch(hooks.url() + request.url, {
      method: request.method!,
      headers: { authorization: request.headers.authorization! },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status).end(await answer.text());
  });
  try {
    const argv = ["push", hooks.folder(), "--url", between.origin];
    return await runAnywhere(argv, { SVC_API_TOKEN: API_TOKEN });
  } finally {
    await between.close();
  }
}

test("somebody who saves between the plan and the push wins", async () => {
  const { id } = await create("a", ONE);
  await run("pull", hooks.folder());
  await write("a.js", TWO);
  const { code, complained } = await pushThrough(async (method) => {
    if (method === "PATCH") await api("PATCH", `/v1/webhooks/${id}`, { transform: THREE });
    return undefined;
  });
  assert.equal(code, 1);
  assert.match(
    complained,
    /^a: Somebody has saved another version of the transform meanwhile\.\n0 pushed, 1 failed\.$/,
  );
  assert.equal((await listed())[0].transform, THREE);
});

test("a webhook that was created and could not be paused is gone on with", async () => {
  await write("webhooks.json", { format: 1, webhooks: { a: { name: "a", file: "a.js", paused: true } } });
  await write("a.js", ONE);
  const { code, complained } = await pushThrough(async (method) => (method === "PATCH" ? 503 : undefined));
  assert.deepEqual([code, complained], [1, "a: Not now.\n0 pushed, 1 failed."]);
  const again = await run("push", hooks.folder());
  assert.equal(again.said, "a  update paused\n1 pushed.");
  assert.deepEqual(
    (await listed()).map(({ paused }) => paused),
    [true],
  );
});

test("webhooks that the folder does not list are deleted only when asked", async () => {
  await create("a", ONE);
  await run("pull", hooks.folder());
  await create("other", TWO);
  const alone = await run("push", hooks.folder());
  assert.match(alone.said, /^other {2}left alone: .*--delete/m);
  assert.equal((await listed()).length, 2);
  assert.match((await run("push", hooks.folder(), "--delete", "--dry-run")).said, /^other {2}delete/m);
  assert.equal((await listed()).length, 2);
  assert.equal((await run("push", hooks.folder(), "--delete")).code, 0);
  assert.deepEqual(
    (await listed()).map(({ name }) => name),
    ["a"],
  );
});

test("a folder that knows no webhook of the environment does not delete them all", async () => {
  await create("precious", ONE);
  await write("webhooks.json", { format: 1, webhooks: { a: { name: "a", file: "a.js" } } });
  await write("a.js", ONE);
  const { code, complained } = await run("push", hooks.folder(), "--delete");
  assert.equal(code, 1);
  assert.match(complained, /all of them would be deleted: is --env right\?/);
  assert.equal((await listed()).length, 1);
  assert.equal((await run("push", hooks.folder(), "--delete", "--force")).code, 0);
  assert.deepEqual(
    (await listed()).map(({ name }) => name),
    ["a"],
  );
});

test("code that cannot be used is shown with its place, and nothing is pushed", async () => {
  await create("a", ONE);
  await create("b", ONE);
  await run("pull", hooks.folder());
  await write("a.js", TWO);
  await write("b.js", "function transform(evt) {\n  return { name: };\n}\n");
  const { code, complained } = await run("push", hooks.folder());
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
    const { code, complained } = await run(command, hooks.folder(), "--force");
    assert.equal(code, 1);
    assert.match(complained, /"same" fits 1 webhooks here and 2 of the service/);
  }
});
