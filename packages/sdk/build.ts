/**
 * Build the published package into dist/: JS, types, and a package.json of its own, so that the workspace goes
 * on using the sources. The protocol package is private and is put inside. `tsc` alone does it; no bundler.
 * Run: npm run build -w packages/sdk, then npm publish packages/sdk/dist. A folder other than dist/ can be
 * given as argument; it is emptied first.
 */
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const dist = resolve(process.argv[2] ?? join(here, "dist"));
const out = join(dist, "out");

rmSync(dist, { recursive: true, force: true });
const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
const tsc = join(typescript, "bin", "tsc");
const project = join(here, "tsconfig.build.json");
execFileSync(process.execPath, [tsc, "-p", project, "--outDir", out], { stdio: "inherit" });

cpSync(join(out, "sdk", "src"), dist, { recursive: true });
renameSync(join(out, "protocol", "src"), join(dist, "protocol"));
rmSync(out, { recursive: true });
for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  if (!/\.(js|d\.ts)$/.test(file)) continue;
  const path = join(dist, file);
  const toProtocol = relative(dirname(path), join(dist, "protocol", "index.js"));
  const specifier = toProtocol.startsWith(".") ? toProtocol : `./${toProtocol}`;
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text
      .replaceAll('"@svc/protocol"', `"${specifier}"`)
      // Declarations keep the extension of a relative import as it was written.
      .replace(/(from |import\()"(\.[^"]*)\.ts"/g, '$1"$2.js"'),
  );
}

const source = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const { name, version, description, license, type, engines, keywords } = source;
const entries = Object.entries(source.exports as Record<string, string>).map(([entry, file]) => {
  const base = file.replace(/^\.\/src\//, "./").replace(/\.ts$/, "");
  return [entry, { types: `${base}.d.ts`, default: `${base}.js` }];
});
const published = { name, version, description, license, keywords, type, engines, sideEffects: false };
writeFileSync(
  join(dist, "package.json"),
  `${JSON.stringify({ ...published, exports: Object.fromEntries(entries) }, null, 2)}\n`,
);
cpSync(join(here, "README.md"), join(dist, "README.md"));
