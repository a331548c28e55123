/** `npm run docs`: writes the documents that are made from code. `--check` only says whether they are fresh. */
import { readFileSync, writeFileSync } from "node:fs";
import { configurationMarkdown } from "../packages/server/src/cli/help.ts";

const DOCUMENTS: Record<string, () => string> = { "docs/configuration.md": configurationMarkdown };

/** The documents whose file is not what the code would write now. */
export function staleDocuments(): string[] {
  return Object.keys(DOCUMENTS).filter((path) => {
    try {
      return readFileSync(file(path), "utf8") !== DOCUMENTS[path]!();
    } catch {
      return true;
    }
  });
}

function file(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

if (import.meta.main) {
  const stale = staleDocuments();
  if (process.argv.includes("--check")) {
    for (const path of stale) console.error(`${path} is stale: \`npm run docs\` writes it anew.`);
    process.exit(stale.length > 0 ? 1 : 0);
  }
  for (const path of stale) {
    writeFileSync(file(path), DOCUMENTS[path]!());
    console.log(`wrote ${path}`);
  }
}
