// What the dashboard is built from, as one hash: a build with another one is stale. Plain JavaScript, because the
// set-up asks before it has a Node that runs TypeScript.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL(".", import.meta.url));
const SOURCES = ["index.html", "vite.config.ts", "fonts.ts", "build.ts", "package.json", "src"];

/** @returns {string} */
export function sourceHash() {
  const hash = createHash("sha256");
  for (const source of SOURCES) addTo(hash, source);
  return hash.digest("hex");
}

/**
 * Whether dist/ is the build of the sources as they are.
 * @returns {boolean}
 */
export function isBuilt() {
  const path = join(ROOT, "dist", "source-hash");
  return existsSync(path) && readFileSync(path, "utf8") === sourceHash();
}

function addTo(hash, path) {
  let names;
  try {
    names = readdirSync(join(ROOT, path)).sort();
  } catch {
    hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
    return;
  }
  for (const name of names) if (!name.includes(".test.")) addTo(hash, `${path}/${name}`);
}
