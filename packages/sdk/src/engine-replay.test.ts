/** Random programs of steps, driven to their end in random order: what must hold for every one of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Op, StepState } from "@svc/protocol";
import fc from "fast-check";
import { type EngineHandle, execute } from "./engine.ts";

type Program = { kind: "step"; fails: boolean } | { kind: "sequence" | "all" | "race"; parts: Program[] };

const { program } = fc.letrec<{ program: Program; parts: Program[] }>((tie) => ({
  program: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constant("step" as const), fails: fc.boolean() }),
    fc.record({
      kind: fc.constantFrom("sequence" as const, "all" as const, "race" as const),
      parts: tie("parts"),
    }),
  ),
  parts: fc.array(tie("program"), { minLength: 1, maxLength: 3 }),
}));

/** What one run of a program has seen, over all its calls. */
interface Seen {
  ran: Map<string, number>;
  /** Outcome of every race and of every step, by place in the program. */
  outcomes: Map<string, string>;
}

/** Carry out a program; `path` names the place. Failures are told as texts. */
async function interpret(part: Program, path: string, engine: EngineHandle, seen: Seen): Promise<string> {
  const agree = (outcome: string): string => {
    const before = seen.outcomes.get(path);
    assert.ok(before === undefined || before === outcome, `${path}: first ${before}, then ${outcome}`);
    seen.outcomes.set(path, outcome);
    return outcome;
  };
  if (part.kind === "step") {
    const run = (): string => {
      seen.ran.set(path, (seen.ran.get(path) ?? 0) + 1);
      if (part.fails) throw new Error(`no ${path}`);
      return path;
    };
    const request = { id: path, displayName: path, op: "StepRun", name: path, opts: {}, run } as const;
    return engine.request(request).then(
      (value) => agree(String(value)),
      (error: Error) => agree(error.message),
    );
  }
  const start = (each: Program, i: number): Promise<string> => interpret(each, `${path}.${i}`, engine, seen);
  if (part.kind === "race") return agree(await Promise.race(part.parts.map(start)));
  if (part.kind === "all") return agree((await Promise.all(part.parts.map(start))).join());
  const results: string[] = [];
  for (const [i, each] of part.parts.entries()) results.push(await start(each, i));
  return agree(results.join());
}

test("every step runs once, and every race comes out the same on every replay", async () => {
  const choices = fc.infiniteStream(fc.nat());
  await fc.assert(
    fc.asyncProperty(program, choices, async (whole, stream) => {
      const choose = (): number => stream.next().value;
      const seen: Seen = { ran: new Map(), outcomes: new Map() };
      const steps: Record<string, StepState> = {};
      const stack: string[] = [];
      const planned: string[] = [];
      const keep = (op: Op): void => {
        if (stack.includes(op.id)) return;
        steps[op.id] = op.error ? { error: op.error } : { data: op.data };
        stack.push(op.id);
      };
      for (let call = 0; call < 300; call++) {
        // Call a planned step, any of them, or look for new ones.
        const at = choose() % (planned.length + 1);
        const target = planned.splice(at, 1)[0];
        const state = { steps: structuredClone(steps), stack: [...stack], attempt: 0, maxAttempts: 1 };
        const checkpoint = async (op: Op): Promise<boolean> => {
          if (choose() % 3 === 0) return false;
          keep(op);
          return true;
        };
        const outcome = await execute(
          { ...state, target, immediate: target === undefined && planned.length === 0, checkpoint },
          (engine) => interpret(whole, "p", engine, seen),
        );
        assert.notEqual(outcome.kind, "failed", JSON.stringify(outcome));
        if (outcome.kind === "done") {
          for (const [path, times] of seen.ran) assert.equal(times, 1, `${path} ran ${times} times`);
          assert.equal(JSON.parse(outcome.json), seen.outcomes.get("p"));
          return;
        }
        for (const op of outcome.kind === "ops" ? outcome.ops : []) {
          if (op.op !== "StepPlanned") keep(op);
          else if (!planned.includes(op.id) && !stack.includes(op.id)) planned.push(op.id);
        }
      }
      assert.fail("the run did not end");
    }),
    { numRuns: 300 },
  );
});
