/** What a benchmark found, for people and for programs. */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { loadGenerator } from "./load.ts";

export interface Row {
  name: string;
  value: number;
  /** Measured in the same run. */
  baseline?: { name: string; value: number };
  /** `ratio`: of the baseline. Empty where the number is only to be known. */
  target: { ratio?: number; atLeast?: number; atMost?: number };
  detail?: Record<string, unknown>;
}

/** Whether a row reaches its target. */
export function reached({ value, baseline, target }: Row): boolean {
  if (target.ratio !== undefined && value < target.ratio * (baseline?.value ?? 0)) return false;
  if (target.atLeast !== undefined && value < target.atLeast) return false;
  return target.atMost === undefined || value <= target.atMost;
}

/** Print the rows as a table and write them, with the machine they were measured on, as JSON. */
export function report(rows: Row[], dir: string): void {
  const lines = rows.map((row) => {
    const { name, value, baseline, target } = row;
    const ratio =
      baseline === undefined
        ? ""
        : `${(value / baseline.value).toFixed(2)} of ${short(baseline.value)} (${baseline.name})`;
    const wanted =
      target.ratio !== undefined
        ? `>= ${target.ratio}`
        : target.atLeast !== undefined
          ? `>= ${short(target.atLeast)}`
          : target.atMost !== undefined
            ? `<= ${target.atMost}`
            : "";
    const verdict = wanted === "" ? "" : reached(row) ? "reached" : "missed";
    return [name, short(value), ratio, wanted, verdict];
  });
  const table = [["what", "measured", "against", "target", ""], ...lines];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((line) => line[column]!.length)));
  for (const line of table)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    );
  const machine = {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    load: `load by ${loadGenerator()}`,
    platform: `${process.platform} ${process.arch}`,
  };
  mkdirSync(dir, { recursive: true });
  const file = join(dir, "latest.json");
  const results = rows.map((row) => ({ ...row, reached: reached(row) }));
  writeFileSync(file, `${JSON.stringify({ machine, results }, null, 2)}\n`);
  console.log(
    `\n${machine.load}; ${machine.cores} cores (${machine.cpu}), ${machine.memory_gb} GB, Node ${machine.node}`,
  );
}

function short(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(value < 10 ? 2 : 1);
}
