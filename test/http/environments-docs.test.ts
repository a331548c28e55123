/** Every command of docs/environments-and-keys.md works, in the order of the page. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { API_TOKEN, startService } from "../service.ts";

const run = promisify(execFile);
const PAGE = new URL("../../docs/environments-and-keys.md", import.meta.url);

/** Under which name the page goes on with what a list holds. */
const IDS: Record<string, string> = {
  environments: "ENVIRONMENT_ID",
  "event-keys": "EVENT_KEY_ID",
  "signing-keys": "SIGNING_KEY_ID",
  "api-tokens": "API_TOKEN_ID",
};

/** Also in blocks that belong to a step of a list, and several to a block. */
function commandsOf(page: string): string[] {
  return [...page.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, , block]) =>
    block!
      .split(/^ *(?=curl )/m)
      .map((command) => command.trim())
      .filter((command) => command !== ""),
  );
}

test("the commands about environments and keys work as they stand", async (t) => {
  if (process.platform === "win32") return t.skip("the commands are for a POSIX shell");
  const service = await startService("start", ["--event-key", "docs-event-key"]);
  t.after(() => service.close());
  const old = await fetch(`${service.url}/v1/signing-keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${API_TOKEN}` },
    body: '{"name":"old"}',
  });
  const variables: Record<string, string> = {
    PATH: process.env.PATH ?? "",
    SVC_URL: service.url,
    SVC_API_TOKEN: API_TOKEN,
    OLD_SIGNING_KEY_ID: ((await old.json()) as { data: { id: string } }).data.id,
  };
  const commands = commandsOf(await readFile(PAGE, "utf8"));
  assert.ok(commands.length >= 20);
  for (const command of commands) {
    for (const [, name] of command.matchAll(/\$(\w+)/g)) assert.ok(variables[name!], `${name} in ${command}`);
    const script = `curl() { command curl -sS -w '\n%{http_code}' "$@"; }\n${command}`;
    const { stdout } = await run("sh", ["-euc", script], { env: variables });
    const end = stdout.lastIndexOf("\n");
    const [body, status] = [stdout.slice(0, end), stdout.slice(end + 1)];
    assert.match(status, /^20[04]$/, `${command}\n${body}`);
    const [, list = ""] = /\/v1\/([\w-]+)["?]/.exec(command) ?? [];
    if (!command.includes("-d '") || IDS[list] === undefined) continue;
    const { data } = JSON.parse(body) as { data: { id: string; secret?: string } };
    variables[IDS[list]] = data.id;
    if (command.includes("event-keys?env=branches")) variables.BRANCHES_EVENT_KEY = data.secret!;
  }
});
