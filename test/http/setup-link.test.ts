/** The link that a start without an owner prints, as somebody reads it in the log. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openBrowser } from "../browser.ts";

const SVC = fileURLToPath(new URL("../../packages/server/bin/svc.js", import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "svc-setup-"));
after(() => rmSync(dir, { recursive: true, force: true }));

const tokenOf = (link: string) => link.slice(link.indexOf("#") + 1);

/** Start `svc start` on its data, wait until it is up and has said what it has to say, and stop it afterwards. */
async function whileRunning(flags: string[], use: (url: string, link: string | null) => Promise<void>) {
  const args = ["start", "--data-dir", dir, "--host", "127.0.0.1", "--port", "0", ...flags];
  const child = spawn(process.execPath, [SVC, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH },
  });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, string>> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("svc has ended");
    return JSON.parse(value);
  };
  try {
    let line = await next();
    while (line.url === undefined) line = await next();
    const { url } = line;
    const { needed } = (await openBrowser(url).get("/v1/setup")).body.data;
    await use(url, needed && flags.length === 0 ? ((await next()).link ?? null) : null);
  } finally {
    child.kill("SIGTERM");
    const rest: string[] = [];
    for (let more = await lines.next(); !more.done; more = await lines.next()) rest.push(more.value);
    await exited;
    assert.ok(!rest.some((each) => each.includes("/setup#")), "no other link was printed");
  }
}

test("each start without an owner prints a link of its own, which is stored nowhere, until there is an owner", async () => {
  const links: string[] = [];
  await whileRunning([], async (url, link) => {
    assert.match(link!, new RegExp(`^${url}/setup#[\\w-]{43}$`));
    links.push(link!);
  });
  await whileRunning(["--api-token", "token-of-the-configuration"], async (_url, link) => {
    assert.equal(link, null);
  });
  const secrets = ["an engine of 1842"];
  await whileRunning([], async (url, link) => {
    const account = { name: "Ada", email: "ada@example.com", password: "an engine of 1842" };
    const ada = openBrowser(url);
    const setUp = (of: string) => ada.send("POST", "/v1/setup", { ...account, token: tokenOf(of) });
    assert.equal((await setUp(links[0]!)).status, 401, "the link of the start before");
    assert.equal((await setUp(link!)).body.data.user.role, "owner");
    links.push(link!);
    const invitation = await ada.send("POST", "/v1/invitations", { role: "viewer" });
    secrets.push(...links.map(tokenOf), ...ada.cookies.values(), tokenOf(invitation.body.data.url));
  });
  await whileRunning([], async (_url, link) => assert.equal(link, null));
  assert.equal(secrets.length, 5);
  for (const file of readdirSync(dir)) {
    const bytes = readFileSync(join(dir, file));
    for (const secret of secrets) assert.ok(!bytes.includes(secret), `${secret.slice(0, 12)} is in ${file}`);
  }
});
