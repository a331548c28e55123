/** Every TypeScript example in the documentation is a complete file that type-checks. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";

const packageFolder = join(import.meta.dirname, "..");
const root = join(packageFolder, "..", "..");

test("the examples of the documentation type-check", (t) => {
  const pages = globSync(["README.md", "docs/**/*.md"], { cwd: root });
  const examples = pages.sort().flatMap((page) => {
    const text = readFileSync(join(root, page), "utf8");
    const name = page.replace(/\W+/g, "-");
    return Array.from(text.matchAll(/^```ts\n(.*?)^```$/gms), ([, code], i) => ({
      name: `${name}-${i + 1}`,
      code,
    }));
  });
  assert.ok(examples.length > 15);
  // Inside the package, so that its name and the frameworks are found.
  const folder = mkdtempSync(join(packageFolder, "test", ".docs-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const { name, code } of examples) writeFileSync(join(folder, `${name}.ts`), code!);
  writeFileSync(join(folder, "tsconfig.json"), '{"extends":"../../../../tsconfig.json","include":["*.ts"]}');
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  assert.equal(stdout, "");
});
