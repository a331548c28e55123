import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const manifests = globSync(["package.json", "packages/*/package.json", "examples/*/package.json"], {
  cwd: ROOT,
});

/** `[manifest, package, version]` of every dependency that is not one of our own packages. */
const dependencies = manifests.flatMap((path) => {
  const manifest = JSON.parse(readFileSync(join(ROOT, path), "utf8"));
  const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
  return Object.entries<string>(all)
    .filter(([name]) => !name.startsWith("@svc/"))
    .map(([name, version]) => [path, name, version] as const);
});

test("every dependency has its reason in docs/decisions/0002-dependencies.md", () => {
  const page = readFileSync(join(ROOT, "docs/decisions/0002-dependencies.md"), "utf8");
  const missing = dependencies.filter(([, name]) => !page.includes(`\`${name}\``));
  assert.deepEqual(missing, []);
});

test("every version is exact", () => {
  const loose = dependencies.filter(
    ([, , version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  assert.deepEqual(loose, []);
});

test("the lock file has the packages of every platform, as `npm ci` demands", () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const names = new Set(Object.keys(packages).map((path) => path.split("node_modules/").at(-1)));
  const missing = Object.values<{ optionalDependencies?: object }>(packages)
    .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
    .filter((name) => !names.has(name));
  assert.deepEqual(missing, []);
});
