import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runsTypeScript, setUp } from "./setup.mjs";

const RUN = fileURLToPath(new URL("run.mjs", import.meta.url));

test("the Node versions that run TypeScript by themselves are known", () => {
  const verdicts = ["20.20.2", "22.17.1", "22.18.0", "23.5.0", "23.6.0", "26.10.0"].map(runsTypeScript);
  assert.deepEqual(verdicts, [false, false, true, false, true, true]);
});

test("an installed project is set up with a Node that runs TypeScript", () => {
  const { stdout } = spawnSync(setUp(), ["-p", "process.versions.node"], { encoding: "utf8" });
  assert.equal(runsTypeScript(stdout.trim()), true);
});

test("an unknown task is answered with the list of tasks", () => {
  const { status, stderr } = spawnSync(process.execPath, [RUN, "tset"], { encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /^Usage: node scripts\/run\.mjs (\w+\|)*test\|check\|/);
});
