/**
 * What an expression may cost. CEL ends always, but a loop in a loop over a large event, or a hostile pattern,
 * can take minutes. So the cost is judged from the syntax tree, and what may be dear runs under a watchdog.
 */
import { createContext, Script } from "node:vm";
import type { ASTNode } from "@marcbachmann/cel-js";

/** What the syntax tree tells about the time an expression takes. */
export interface ExpressionCost {
  nodes: number;
  /** The power of the event's size that the time grows with: 0 for `event.data.a == 1`, 2 for a loop in a loop. */
  degree: number;
  loops: boolean;
  /** Patterns and splits: nothing sure can be said. */
  unknown: boolean;
  /** Loops inside one another. */
  nesting: number;
  /** `cel.bind`: each can double a value, so a few lines of them would fill the memory. */
  binds: boolean;
}

const LOOPS = new Set(["all", "exists", "exists_one", "filter", "map"]);
/** Calls whose time does not depend on the length of a value, or so little that it does not matter. */
const CHEAP = new Set(["has", "size", "int", "double", "uint", "bool", "string", "type", "dyn", "timestamp"]);
const UNKNOWN = new Set(["matches", "split", "join"]);

/** Judge an expression by its syntax tree. */
export function costOf(node: ASTNode): ExpressionCost {
  const cost: ExpressionCost = {
    nodes: 1,
    degree: 0,
    loops: false,
    unknown: false,
    nesting: 0,
    binds: false,
  };
  if (node.op === "rcall" && LOOPS.has(node.args[0])) {
    const [, list, body] = node.args;
    for (const part of body) include(cost, costOf(part));
    cost.loops = true;
    cost.degree += 1;
    cost.nesting += 1;
    include(cost, costOf(list));
    return cost;
  }
  for (const child of children(node)) include(cost, costOf(child));
  const name = node.op === "call" || node.op === "rcall" ? node.args[0] : undefined;
  if (name === "bind") cost.binds = true;
  else if (name !== undefined && UNKNOWN.has(name)) cost.unknown = true;
  else if (name !== undefined ? !CHEAP.has(name) : isLinear(node)) cost.degree = Math.max(cost.degree, 1);
  return cost;
}

function include(cost: ExpressionCost, inner: ExpressionCost): void {
  cost.nodes += inner.nodes;
  cost.degree = Math.max(cost.degree, inner.degree);
  cost.loops ||= inner.loops;
  cost.unknown ||= inner.unknown;
  cost.nesting = Math.max(cost.nesting, inner.nesting);
  cost.binds ||= inner.binds;
}

/** Whether an operator may have to look at all of a value. */
function isLinear(node: ASTNode): boolean {
  if (node.op === "in" || node.op === "+") return true;
  if (node.op !== "==" && node.op !== "!=") return false;
  return node.args[0].op !== "value" && node.args[1].op !== "value";
}

function children(node: ASTNode): ASTNode[] {
  const found: ASTNode[] = [];
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) collect(item);
    else if (typeof value === "object" && value !== null && "op" in value) found.push(value as ASTNode);
  };
  collect(node.args);
  return found;
}

/** Steps that an expression may take unwatched: about 10 ms at 0.2 µs a step. */
const UNWATCHED_STEPS = 50_000;

/** Whether an evaluation over these variables is surely short. */
export function isSurelyShort(cost: ExpressionCost, variables: object): boolean {
  if (cost.unknown) return false;
  if (!cost.loops) return true;
  const largest = Math.floor((UNWATCHED_STEPS / cost.nodes) ** (1 / cost.degree));
  return sizeUpTo(variables, largest) < largest;
}

/** Values in a JSON value (16 characters of text count as one), counted no further than `limit`. */
function sizeUpTo(value: unknown, limit: number): number {
  let size = 1;
  if (typeof value === "string") return 1 + value.length / 16;
  if (typeof value !== "object" || value === null) return size;
  const items = value instanceof Map ? value.values() : Object.values(value);
  for (const item of items) {
    size += sizeUpTo(item, limit - size);
    if (size >= limit) break;
  }
  return size;
}

const room = createContext({ task: undefined as unknown });
const script = new Script("task()");

/**
 * Run a synchronous task and stop it, wherever it is, after `ms`; throws then. A watchdog costs 0.1–0.4 ms, so
 * it is for tasks that may be long.
 */
export function runWatched<T>(task: () => T, ms: number): T {
  room.task = task;
  try {
    return script.runInContext(room, { timeout: ms }) as T;
  } finally {
    room.task = undefined;
  }
}
