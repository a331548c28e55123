/** The outcome of a crash run as people read it. */
import type { CrashReport } from "./crash.ts";

/** A compact table of what was counted. */
export function reportTable(report: CrashReport): string {
  const { requests, readyMs } = report;
  const rows: [string, string | number][] = [
    ["kills", `${report.kills} (${report.killsWhileStarting} while starting)`],
    ["requests", `${requests.acknowledged} answered, ${requests.broken} broken, ${requests.refused} refused`],
    ["events acknowledged", report.acknowledged],
    ["events stored", report.stored],
    ["events lost", report.lost],
    ["webhook requests acknowledged", report.webhookRequestsAcknowledged],
    ["webhook requests stored", report.webhookRequestsStored],
    ["webhook requests lost", report.webhookRequestsLost],
    ["… left pending by kills", report.takenUp],
    ["events of webhooks", report.webhookEvents],
    ["runs", report.runs],
    ["steps executed", report.stepsExecuted],
    ["steps repeated, in flight", report.repeatsAllowed],
    ["steps repeated, forbidden", report.repeatsForbidden],
    ["ready after a kill", `${ms(readyMs[readyMs.length >> 1])} p50, ${ms(readyMs.at(-1))} max`],
    ["slowest run", ms(report.slowestRunMs)],
    ["drained in", ms(report.drainMs)],
    ["violations", report.violations.length],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}

function ms(value: number | undefined): string {
  return value === undefined ? "-" : `${Math.round(value)} ms`;
}
