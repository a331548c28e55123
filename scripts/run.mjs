// The one door to everything npm scripts do: `node scripts/run.mjs <task> [arguments]`. It sets the project up
// where that is needed and runs the task on the pinned Node. Plain JavaScript for Node 20 and newer.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { spawnTask } from "./processes.mjs";
import { buildDashboard, ROOT, SetupError, setUp } from "./setup.mjs";

/** Each task is a few commands, run one after the other; the exit code is the first that is not 0. */
const TASKS = {
  // Only what every task does before: the set-up, and the dashboard where it is stale.
  build: () => [],
  start: (args) => [["scripts/start.mjs", ...args]],
  test: (args) => [["scripts/test.ts", ...args]],
  check: () => [
    ["node_modules/typescript/bin/tsc", "-p", "."],
    ["node_modules/typescript/bin/tsc", "-p", "packages/dashboard"],
    ["node_modules/@biomejs/biome/bin/biome", "check", "."],
    ["scripts/docs.ts", "--check"],
  ],
  format: () => [["node_modules/@biomejs/biome/bin/biome", "check", "--write", "."]],
  docs: (args) => [["scripts/docs.ts", ...args]],
  bench: (args) => [["bench/run.ts", ...args]],
  screenshots: (args) =>
    ["screenshots", "webhook-screenshots", "office-screenshots"].map((name) => [
      `packages/dashboard/test/${name}.ts`,
      ...args,
    ]),
  chaos: (args) => [["test/chaos/run.ts", ...args]],
};

/** The tasks in which a browser may look at the service. */
const NEED_DASHBOARD = new Set(["build", "start", "test", "bench", "screenshots"]);

async function main([name, ...args]) {
  if (!Object.hasOwn(TASKS, name ?? "")) {
    throw new SetupError(`Usage: node scripts/run.mjs ${Object.keys(TASKS).join("|")} [arguments]`);
  }
  const node = setUp();
  if (NEED_DASHBOARD.has(name)) buildDashboard(node);
  let failed = 0;
  for (const [script, ...rest] of TASKS[name](args)) {
    if (!existsSync(join(ROOT, script))) throw new SetupError(`${script} is not there.`);
    const code = await spawnTask(node, [join(ROOT, script), ...rest]);
    failed ||= code;
  }
  return failed;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
