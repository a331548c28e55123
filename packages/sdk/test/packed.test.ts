/** The package as users get it: built, packed, installed from the tarball, run by the plain `node` on PATH. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { VERSION } from "../src/index.ts";
import { startMiniService } from "./mini-service.ts";

const run = promisify(execFile);
const packageFolder = join(import.meta.dirname, "..");

test("the version told to the service is that of package.json", () => {
  assert.equal(JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")).version, VERSION);
});

test("the packed package installs alone, type-checks, sends and serves on the system's own Node", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-sdk-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const service = await startMiniService();
  t.after(() => service.close());

  await run(process.execPath, [join(packageFolder, "build.ts"), join(folder, "built")]);
  const app = join(folder, "app");
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), '{"name":"app","private":true,"type":"module"}');
  await run("npm", ["pack", join(folder, "built"), "--pack-destination", folder], { cwd: folder });
  const tarball = join(folder, `svc-sdk-${VERSION}.tgz`);
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: app });

  writeFileSync(join(app, "app.ts"), APP);
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const flags = "--strict --module nodenext --target es2022 --lib es2023,dom,dom.iterable --types node".split(
    " ",
  );
  const types = join(packageFolder, "..", "..", "node_modules", "@types");
  await run(process.execPath, [tsc, ...flags, "--typeRoots", types, "app.ts"], { cwd: app });

  const env = { ...process.env, SVC_DEV: service.url };
  const { stdout } = await run(systemNode(), ["app.js"], { cwd: app, env });
  const lines = stdout.trim().split("\n");
  assert.deepEqual(JSON.parse(lines[0]!), { ids: service.sends[0]!.ids });
  assert.deepEqual(JSON.parse(lines[1]!), { status: 200, functions: 1 });
  assert.equal(service.sends[0]!.headers["x-svc-sdk"], `js:v${VERSION}`);
});

const APP = `
import { createServer } from "node:http";
import { Client, eventType, NonRetriableError } from "@svc/sdk";
import { serve } from "@svc/sdk/node";
import * as express from "@svc/sdk/express";
import * as fastify from "@svc/sdk/fastify";
import * as fetching from "@svc/sdk/fetch";
import * as hono from "@svc/sdk/hono";
import * as next from "@svc/sdk/next";

const client = new Client({ id: "packed" });
const { ids } = await client.send([{ name: "a/b", data: { n: 1 } }, { name: "a/c" }]);
console.log(JSON.stringify({ ids }));
const fn = client.createFunction({ id: "f" }, { event: "a/b" }, async ({ event, step }) => {
  const since: string = await step.run("now", () => new Date());
  if (!since) throw new NonRetriableError(event.name);
});
const server = createServer(serve({ client, functions: [fn] })).listen(0, async () => {
  const { port } = server.address() as { port: number };
  const answer = await fetch("http://127.0.0.1:" + port + "/api/svc");
  const { function_count } = (await answer.json()) as { function_count: number };
  console.log(JSON.stringify({ status: answer.status, functions: function_count }));
  for (const entry of [express, fastify, fetching, hono, next]) if (!entry.serve) throw new Error("no serve()");
  if (typeof eventType !== "function") throw new Error("no eventType()");
  server.closeAllConnections();
  server.close();
});
`;

/** The `node` a user would get: the first one on PATH outside of this repository. */
function systemNode(): string {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((each) => !each.includes("node_modules"));
  const found = folders.map((each) => join(each, "node")).find((each) => existsSync(each));
  return found ?? process.execPath;
}
