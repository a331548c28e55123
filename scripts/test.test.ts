import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const RUNNER = fileURLToPath(new URL("test.ts", import.meta.url));

/** Runs the test runner over a project of the given files; answers its last line and exit code. */
function runTests(files: Record<string, string>, args: string[] = []) {
  const root = mkdtempSync(join(tmpdir(), "svc-runner-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `import { before, test, describe } from "node:test";\n${text}`);
    }
    // Without this the inner run would think that it is part of the outer one.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { stdout, status } = spawnSync(process.execPath, [RUNNER, ...args], {
      cwd: root,
      encoding: "utf8",
      env,
    });
    return [stdout.trimEnd().split("\n").at(-1), status];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const PASSING = 'test("a", () => {}); test("b", () => {}); test("c", { skip: true }, () => {});';

test("the last line counts what really passed, failed and was skipped", () => {
  assert.deepEqual(runTests({ "scripts/a.test.mjs": PASSING }), ["2 passed, 0 failed, 1 skipped", 0]);
  const failing = 'test("d", () => { throw new Error("no"); });';
  assert.deepEqual(runTests({ "scripts/a.test.mjs": PASSING, "test/b.test.ts": failing }), [
    "2 passed, 1 failed, 1 skipped",
    1,
  ]);
});

test("a file that does not even load, a failed hook and an early exit are failures", () => {
  assert.deepEqual(runTests({ "test/a.test.ts": 'import "./missing.ts";' }), ["0 passed, 1 failed", 1]);
  assert.equal(runTests({ "test/a.test.ts": 'process.exit(3); test("a", () => {});' })[1], 1);
  const hook = 'describe("s", () => { before(() => { throw new Error("no"); }); test("a", () => {}); });';
  assert.equal(runTests({ "test/a.test.ts": hook })[1], 1);
});

test("a run without tests fails", () => {
  assert.deepEqual(runTests({}), ["0 passed, 0 failed", 1]);
  assert.deepEqual(runTests({ "test/a.test.ts": PASSING }, ["elsewhere"]), ["0 passed, 0 failed", 1]);
});

test("words choose files, --name chooses tests", () => {
  const files = { "test/a.test.ts": PASSING, "packages/x/src/b.test.ts": PASSING };
  assert.deepEqual(runTests(files, ["packages/x"]), ["2 passed, 0 failed, 1 skipped", 0]);
  assert.deepEqual(runTests(files, ["./test/a.test.ts", "--name", "^b$"]), ["1 passed, 0 failed", 0]);
});
