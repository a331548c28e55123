import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { hashStepId, type LogLine } from "@svc/protocol";

/** Texts and steps of the log lines of an answer. */
function linesOf(printed: string): [string, string | undefined][] {
  const { logs } = JSON.parse(printed.slice("206 ".length)) as { logs: LogLine[] };
  return logs.map(({ text, step }) => [text, step]);
}

for (const [what, missing] of [
  ["without Node's own globals", []],
  ["with timers only", ["MessageChannel"]],
] as const) {
  test(`functions run in a runtime ${what}`, () => {
    const script = join(import.meta.dirname, "bare-runtime.ts");
    const output = execFileSync(process.execPath, [script, ...missing], { encoding: "utf8" });
    const [steps, parallel, nested, planned, target] = output.trim().split("\n");
    assert.match(steps!, /^206 \[\{"id":"\w{40}","op":"RunComplete","data":"éb"\}\]$/);
    assert.deepEqual(
      [...parallel!.matchAll(/"op":"(\w+)"/g)].map((match) => match[1]),
      ["StepPlanned", "StepPlanned"],
    );
    assert.match(nested!, /StepFailed.*Step \\"inner\\" was started inside step \\"outer\\"/);
    assert.deepEqual(linesOf(planned!), [["before", undefined]]);
    assert.deepEqual(linesOf(target!), [['in {"step":"b"}', hashStepId("b")]]);
  });
}
