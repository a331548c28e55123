/**
 * `npm test`: every test file on node:test, the spec report, and one last line with the count.
 *
 *     npm test                       everything
 *     npm test -- config log         files whose path contains one of the words
 *     npm test -- --name "retries"   tests whose name matches
 */
import { globSync } from "node:fs";
import { relative, sep } from "node:path";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { parseArgs } from "node:util";

const PLACES = [
  "packages/*/{src,test}/**/*.test.{ts,tsx}",
  "test/**/*.test.ts",
  "examples/*/{src,test}/**/*.test.ts",
  "scripts/**/*.test.{ts,mjs}",
  "bench/**/*.test.ts",
];

/** A file that hangs is a failure, not a build that never ends. */
const FILE_TIMEOUT_MS = 10 * 60_000;

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { name: { type: "string" } },
});
const files = globSync(PLACES)
  .filter((path) => !path.split(sep).includes("node_modules"))
  .filter((path) => words.length === 0 || words.some((word) => matches(path, word)))
  .sort();

const counts = { passed: 0, failed: 0, skipped: 0 };
let success = files.length > 0;
if (files.length > 0) {
  const stream = run({
    files,
    concurrency: 2,
    timeout: FILE_TIMEOUT_MS,
    ...(values.name !== undefined && { testNamePatterns: [values.name] }),
  });
  stream.on("test:summary", (summary) => {
    if (summary.file !== undefined) return;
    counts.passed = summary.counts.passed;
    counts.failed =
      summary.counts.tests - summary.counts.passed - summary.counts.skipped - summary.counts.todo;
    counts.skipped = summary.counts.skipped + summary.counts.todo;
    success &&= summary.success;
    // A hook that failed fails the run without counting as a test.
    if (!summary.success) counts.failed = Math.max(1, counts.failed);
  });
  const report = stream.compose(spec);
  report.pipe(process.stdout);
  await finished(report);
}

const nothingRan = counts.passed + counts.failed === 0;
if (nothingRan) console.error("No test ran: no file or name matches.");
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exitCode = success && counts.failed === 0 && !nothingRan ? 0 : 1;

/** A word is part of a path, or a path as the shell completes it. */
function matches(path: string, word: string): boolean {
  return path.replaceAll(sep, "/").includes(relative(".", word).replaceAll(sep, "/"));
}
