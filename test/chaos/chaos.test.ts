/** A short crash run in every test run; `npm run chaos` is the long one. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { crash } from "./crash.ts";
import { reportTable } from "./report.ts";

test("nothing is lost and nothing done twice when the service is killed ten times under load", async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), "svc-chaos-"));
  const seed = Date.now() % 1_000_000;
  const report = await crash({ dataDir, kills: 10, seed });
  t.diagnostic(`seed ${seed}\n${reportTable(report)}`);
  assert.deepEqual(report.violations, [], `repeat with: npm run chaos -- --kills 10 --seed ${seed}`);
  assert.ok(report.acknowledged > 50, "the load was too light to prove anything");
  assert.ok(report.webhookRequestsAcknowledged > 5, "too few webhook requests to prove anything");
  rmSync(dataDir, { recursive: true });
});
