/**
 * `npm run build -w packages/dashboard`: the bundle in dist/, packed beside each file, and its sizes. Fails when the
 * first load is over its budget.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import { build } from "vite";
import { sourceHash } from "./source-hash.mjs";

const ROOT = fileURLToPath(new URL(".", import.meta.url));
const DIST = join(ROOT, "dist");
const ASSETS = join(DIST, "assets");
/** Most bytes, gzipped, that the first page may load: scripts, styles and fonts. */
const BUDGET_BYTES = 250 * 1000;
const KB = 1000;

const hash = sourceHash();
await build({ root: ROOT, logLevel: "warn" });

/** Bytes as they travel, by file name. */
const sizes = new Map<string, number>();
for (const name of readdirSync(ASSETS)) {
  const bytes = readFileSync(join(ASSETS, name));
  // Fonts are packed already.
  if (extname(name) === ".woff2" || extname(name) === ".png") {
    sizes.set(name, bytes.length);
    continue;
  }
  const packed = gzipSync(bytes, { level: 9 });
  writeFileSync(join(ASSETS, `${name}.gz`), packed);
  const quality = { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } };
  writeFileSync(join(ASSETS, `${name}.br`), brotliCompressSync(bytes, quality));
  sizes.set(name, packed.length);
}

const first = firstLoad();
const total = first.reduce((bytes, name) => bytes + sizes.get(name)!, 0);
for (const [name, bytes] of [...sizes].sort(([, a], [, b]) => b - a)) {
  if (bytes < 2 * KB && !first.includes(name)) continue;
  console.log(
    `${(bytes / KB).toFixed(1).padStart(8)} KB  ${first.includes(name) ? "first " : "later "} ${name}`,
  );
}
console.log(`${(total / KB).toFixed(1).padStart(8)} KB  first load of Events, with its fonts, gzipped`);
if (total > BUDGET_BYTES) {
  console.error(`The first load is over its budget of ${BUDGET_BYTES / KB} KB.`);
  process.exitCode = 1;
}
// Last: a build that broke off is not taken for a whole one.
writeFileSync(join(DIST, "source-hash"), hash);

/** The files the start page needs: what index.html names, what these import, and the page of Events with its imports. */
function firstLoad(): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name) || !sizes.has(name)) return;
    found.add(name);
    if (extname(name) !== ".js") return;
    const text = readFileSync(join(ASSETS, name), "utf8");
    for (const [, imported] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) visit(imported!);
  };
  const index = readFileSync(join(DIST, "index.html"), "utf8");
  for (const [, name] of index.matchAll(/"\.\/assets\/([^"]+)"/g)) visit(name!);
  for (const name of sizes.keys()) if (/^(events-page|inter|jetbrains)-/.test(name)) visit(name);
  return [...found];
}
