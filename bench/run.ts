/**
 * `npm run bench [-- part …] [-- --stored 10000000]`: measures the numbers the design promises, each beside its baseline
 * in the same run. Parts: ingest, sdk, inngest, transforms, webhooks, hostile, footprint, dashboard; all of them when none is
 * named.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Row, report } from "./report.ts";
import { dashboardRows } from "./rows/dashboard.ts";
import { footprintRows } from "./rows/footprint.ts";
import { hostileRows } from "./rows/hostile-webhook.ts";
import { ingestRows } from "./rows/ingest.ts";
import { inngestRows, sdkRows } from "./rows/runs.ts";
import { transformRows } from "./rows/transforms.ts";
import { webhookRows } from "./rows/webhooks.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "5" },
    runs: { type: "string", default: "20000" },
    stored: { type: "string", default: "1000000" },
  },
});
const seconds = Number(values.seconds);
const runs = Number(values.runs);

const parts: Record<string, () => Promise<Row[]>> = {
  ingest: () => ingestRows(seconds),
  sdk: () => sdkRows(runs),
  inngest: () => inngestRows(runs / 4),
  transforms: () => transformRows(seconds),
  webhooks: () => webhookRows(seconds),
  hostile: () => hostileRows(),
  footprint: () => footprintRows(Number(values.stored), seconds),
  dashboard: () => dashboardRows(Number(values.stored)),
};
const chosen = positionals.length > 0 ? positionals : Object.keys(parts);
const rows: Row[] = [];
for (const name of chosen) {
  const part = parts[name];
  if (part === undefined) throw new Error(`There is no part "${name}": ${Object.keys(parts).join(", ")}.`);
  console.error(`measuring ${name} …`);
  rows.push(...(await part()));
}
report(rows, join(import.meta.dirname, "results"));
