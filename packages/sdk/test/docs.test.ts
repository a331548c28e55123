/** Every example in the documentation is a complete file that type-checks. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";

const packageFolder = join(import.meta.dirname, "..");
const root = join(packageFolder, "..", "..");

test("the examples of docs/sdk.md type-check", (t) => {
  const text = readFileSync(join(root, "docs", "sdk.md"), "utf8");
  const examples = Array.from(text.matchAll(/^```ts\n(.*?)^```$/gms), (match) => match[1]!);
  assert.ok(examples.length > 15);
  // Inside the package, so that its name and the frameworks are found.
  const folder = mkdtempSync(join(packageFolder, "test", ".docs-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [i, example] of examples.entries()) writeFileSync(join(folder, `example-${i + 1}.ts`), example);
  writeFileSync(join(folder, "tsconfig.json"), '{"extends":"../../../../tsconfig.json","include":["*.ts"]}');
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  assert.equal(stdout, "");
});
