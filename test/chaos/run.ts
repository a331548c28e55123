/**
 * `npm run chaos -- --kills 100 [--seed N]`: kill the service again and again under load, then verify that nothing
 * was lost and nothing done twice. Exits with 1 and keeps the data when a promise was broken.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { crash } from "./crash.ts";
import { reportTable } from "./report.ts";

/** More than this many violations say nothing new. */
const SHOWN = 40;

const { values } = parseArgs({
  options: { kills: { type: "string", default: "100" }, seed: { type: "string" } },
});
const kills = Number(values.kills);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  console.error("Usage: npm run chaos -- --kills <number> [--seed <number>]");
  process.exit(2);
}

const dataDir = mkdtempSync(join(tmpdir(), "svc-chaos-"));
console.log(`${kills} kills, seed ${seed} (npm run chaos -- --kills ${kills} --seed ${seed})`);
const report = await crash({
  dataDir,
  kills,
  seed,
  onKill: (kill) => {
    if (kill % 10 === 0) console.log(`  ${kill} kills`);
  },
});
console.log(reportTable(report));
if (report.violations.length > 0) {
  console.error(`\n${report.violations.length} violations; the data is kept in ${dataDir}`);
  for (const violation of report.violations.slice(0, SHOWN)) console.error(`- ${violation}`);
  process.exitCode = 1;
} else {
  rmSync(dataDir, { recursive: true });
}
