/** CEL expressions of triggers, waits, cancellations and keys: compiled once, bounded when they run. */
import { type Context, Environment, type ParseResult } from "@marcbachmann/cel-js";
import { ServiceError } from "../errors.ts";
import { costOf, type ExpressionCost, isSurelyShort, runWatched } from "./expression-cost.ts";

/** Bounds of an expression. */
const EXPRESSION_LIMITS = {
  /** Length of its text, characters. */
  length: 4_096,
  /** Nodes and depth of its syntax tree. */
  nodes: 500,
  depth: 32,
  /** Loops (`all`, `exists`, `map`, …) inside one another. */
  nesting: 2,
  /** Longest an evaluation may take, ms: far more than an honest one needs, also on a machine that is overloaded. */
  evaluationMs: 250,
} as const;

/** What an expression can see: plain parsed JSON. `async` is the later event of a wait or a cancellation. */
export interface ExpressionVariables {
  event: unknown;
  async?: unknown;
}

interface Compiled {
  run: ParseResult;
  cost: ExpressionCost;
  type: string;
}

const language = new Environment({
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: EXPRESSION_LIMITS.nodes, maxDepth: EXPRESSION_LIMITS.depth },
})
  .registerVariable("event", "map")
  .registerVariable("async", "map");

// JSON numbers are doubles to CEL, which has no arithmetic between them and the integers people write.
const ARITHMETIC: Record<string, (a: number, b: number) => number> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};
for (const [sign, compute] of Object.entries(ARITHMETIC)) {
  const mixed = (a: number | bigint, b: number | bigint) => compute(Number(a), Number(b));
  language
    .registerOperator(`double ${sign} int: double`, mixed)
    .registerOperator(`int ${sign} double: double`, mixed);
}
language.registerOperator("double % double", ARITHMETIC["%"]!);

/** Compiled expressions by text; beyond this many the cache starts anew. */
const CACHE_SIZE = 2_000;
const cache = new Map<string, Compiled>();

/**
 * Compile a condition.
 * @returns a function that tells whether it holds. An evaluation that fails (a missing field, two types that do
 * not compare) or takes more than 250 ms counts as false.
 * @throws {ServiceError} `invalid_request` with a sentence that says what is wrong with the expression
 * @example compileExpression("event.data.total > 100")({ event: { data: { total: 120 } } }) // true
 */
export function compileExpression(text: string): (variables: ExpressionVariables) => boolean {
  const compiled = compile(text);
  if (compiled.type !== "bool" && compiled.type !== "dyn") {
    throw invalid(text, `it is ${compiled.type}, not true or false`);
  }
  return (variables) => evaluate(compiled, variables) === true;
}

/**
 * Compile an expression that names a value, such as the key of a concurrency limit.
 * @returns a function that gives the value, integers as numbers; undefined when the evaluation fails
 * @throws {ServiceError} `invalid_request` as {@link compileExpression} does
 * @example compileKey("event.data.customer")({ event: { data: { customer: "c1" } } }) // "c1"
 */
export function compileKey(text: string): (variables: ExpressionVariables) => unknown {
  const compiled = compile(text);
  return (variables) => {
    const value = evaluate(compiled, variables);
    return typeof value === "bigint" ? Number(value) : value;
  };
}

function evaluate({ run, cost }: Compiled, variables: ExpressionVariables): unknown {
  try {
    if (isSurelyShort(cost, variables)) return run(variables as unknown as Context);
    return runWatched(() => run(variables as unknown as Context), EXPRESSION_LIMITS.evaluationMs);
  } catch {
    return undefined;
  }
}

function compile(text: string): Compiled {
  const known = cache.get(text);
  if (known !== undefined) return known;
  if (text.length > EXPRESSION_LIMITS.length) {
    throw invalid(text, `it is longer than ${EXPRESSION_LIMITS.length} characters`);
  }
  let run: ParseResult;
  try {
    run = language.parse(text);
  } catch (error) {
    throw invalid(text, reason(error));
  }
  const cost = costOf(run.ast);
  if (cost.nesting > EXPRESSION_LIMITS.nesting) {
    throw invalid(text, `more than ${EXPRESSION_LIMITS.nesting} loops stand inside one another`);
  }
  if (cost.binds) throw invalid(text, "`cel.bind` is not supported");
  const checked = run.check();
  if (!checked.valid) throw invalid(text, reason(checked.error));
  const compiled: Compiled = { run, cost, type: checked.type ?? "dyn" };
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(text, compiled);
  return compiled;
}

function invalid(text: string, why: string): ServiceError {
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return new ServiceError("invalid_request", `The expression \`${shown}\` is not valid: ${why}.`, {
    reason: why,
  });
}

/** The first line of the package's message; the others draw the place in the text. */
function reason(error: unknown): string {
  return ((error as Error | undefined)?.message ?? "it cannot be read").split("\n")[0]!.replace(/\.$/, "");
}
