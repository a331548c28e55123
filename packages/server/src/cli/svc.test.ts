import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadConfig } from "../config.ts";
import { SETTING_LIST } from "../settings.ts";
import { generalHelp, modeHelp } from "./help.ts";
import { version } from "./version.ts";

const BIN = fileURLToPath(new URL("../../bin/svc.js", import.meta.url));

function svc(args: string[], nodeArgs: string[] = []) {
  const env = { PATH: process.env.PATH };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArgs, BIN, ...args], {
    encoding: "utf8",
    env,
  });
  return { status, stdout, stderr };
}

test("svc --version prints the package's version and nothing else", () => {
  assert.deepEqual(svc(["--version"]), { status: 0, stdout: `${version()}\n`, stderr: "" });
});

test("svc alone explains itself without colours when its output is no terminal", () => {
  const { status, stdout } = svc([]);
  assert.equal(status, 0);
  assert.equal(stdout, generalHelp(false));
});

test("help of a mode names every flag and variable of that mode, and no other", () => {
  for (const mode of ["dev", "start"] as const) {
    const text = modeHelp(mode, false);
    for (const row of SETTING_LIST) {
      const shown = new RegExp(`--(no-)?${row.flag}\\b`).test(text) && text.includes(row.env);
      assert.equal(shown, row.modes.includes(mode), `${mode} ${row.flag}`);
    }
  }
  assert.equal(svc(["start", "--help"]).stdout, modeHelp("start", false));
  assert.equal(svc(["help", "dev"]).stdout, modeHelp("dev", false));
});

test("what was mistyped is answered with one sentence and exit code 2", () => {
  assert.deepEqual(svc(["strat"]), {
    status: 2,
    stdout: "",
    stderr: '"strat" is not a command of svc. Did you mean `svc start`?\n',
  });
  assert.match(
    svc(["dev", "--prot", "1"]).stderr,
    /^--prot is not a flag of `svc dev`. Did you mean --port\?\n$/,
  );
  assert.equal(svc(["help", "constructor"]).status, 2);
  assert.equal(svc(["start", "--event-key", "not a key"]).status, 2);
});

test("svc key prints keys that svc start takes", () => {
  const { stdout } = svc(["key"]);
  const env = Object.fromEntries(
    stdout
      .trim()
      .split("\n")
      .map((line) => line.split("=")),
  );
  const config = loadConfig("start", [], env);
  assert.match(config.eventKeys[0]!, /^svc_evt_[\w-]{43}$/);
  assert.match(config.signingKeys[0]!, /^signkey-prod-[0-9a-f]{64}$/);
  assert.match(config.apiTokens[0]!, /^svc_api_[\w-]{43}$/);
  assert.notEqual(svc(["key", "event"]).stdout, svc(["key", "event"]).stdout);
  assert.match(svc(["key", "evnt"]).stderr, /the kinds are event, signing, api/);
});

test("a Node that is too old is turned away with one sentence", () => {
  for (const old of ["20.20.2", "22.17.0", "23.5.0"]) {
    const pretend = `Object.defineProperty(process.versions, "node", { value: "${old}" });Object.defineProperty(process, "version", { value: "v${old}" })`;
    const { status, stderr } = svc(
      ["dev"],
      ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`],
    );
    assert.equal(status, 1);
    assert.equal(stderr, `svc needs Node.js 22.18 or newer; this is v${old}. See https://nodejs.org.\n`);
  }
});
