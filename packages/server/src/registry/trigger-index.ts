/** The index from environment and event name to the functions that event triggers. */
import type { Trigger } from "@svc/protocol";
import { eventVariable } from "./event-variable.ts";
import { compileExpression } from "./expression.ts";
import type { RegisteredFunction, TriggeringEvent } from "./registry.ts";

/** One trigger: the function it starts and the condition, if it has one. */
interface Entry {
  function: RegisteredFunction;
  holds: ReturnType<typeof compileExpression> | null;
  /** The function has other event triggers, which may match too. */
  oneOfSeveral: boolean;
}

interface EnvironmentIndex {
  exact: Map<string, Entry[]>;
  /** By prefix, its last `/` or `.` included. */
  wildcards: Map<string, Entry[]>;
  /** The lengths that prefixes have, so that only those are looked up. */
  prefixLengths: number[];
}

export interface TriggerIndex {
  /**
   * Put these functions in the place of all that the environment had; in one step, so no match sees half. Paused ones are
   * triggered by nothing.
   */
  replace(env: string, functions: Iterable<RegisteredFunction>): void;
  /** The functions an event triggers, each once; see {@link createTriggerIndex}. */
  match(env: string, event: TriggeringEvent): RegisteredFunction[];
}

/**
 * The prefix of a trigger that ends in a wildcard (`/*` or `.*`); undefined when it names one event.
 * @example wildcardPrefix("shop/*") // "shop/"
 */
export function wildcardPrefix(name: string): string | undefined {
  return name.endsWith("/*") || name.endsWith(".*") ? name.slice(0, -1) : undefined;
}

/**
 * An empty index. A match without expressions takes about 0.1 µs; the event's JSON is parsed at most once a
 * match, and only when an expression asks.
 * @param onInvalid told of a stored expression that no longer compiles; its trigger then never matches
 */
export function createTriggerIndex(
  onInvalid: (fn: RegisteredFunction, error: Error) => void = () => {},
): TriggerIndex {
  const environments = new Map<string, EnvironmentIndex>();
  return {
    replace(env, functions) {
      environments.set(env, indexOf(functions, onInvalid));
    },
    match(env, event) {
      const index = environments.get(env);
      if (index === undefined) return [];
      const exact = index.exact.get(event.name);
      if (index.prefixLengths.length === 0) {
        if (exact === undefined) return [];
        if (exact.length === 1 && exact[0]!.holds === null) return [exact[0]!.function];
      }
      const found: RegisteredFunction[] = [];
      const variables: Variables = { event: undefined };
      if (exact !== undefined) collect(exact, event, variables, found);
      for (const length of index.prefixLengths) {
        if (length > event.name.length) break;
        const entries = index.wildcards.get(event.name.slice(0, length));
        if (entries !== undefined) collect(entries, event, variables, found);
      }
      return found;
    },
  };
}

/** Filled when the first expression asks for it. */
interface Variables {
  event: unknown;
}

function collect(
  entries: Entry[],
  event: TriggeringEvent,
  variables: Variables,
  found: RegisteredFunction[],
): void {
  for (const entry of entries) {
    if (entry.oneOfSeveral && found.includes(entry.function)) continue;
    if (entry.holds !== null) {
      variables.event ??= eventVariable(event);
      if (!entry.holds(variables)) continue;
    }
    found.push(entry.function);
  }
}

type EventTrigger = Extract<Trigger, { event: string }>;

function indexOf(
  functions: Iterable<RegisteredFunction>,
  onInvalid: (fn: RegisteredFunction, error: Error) => void,
): EnvironmentIndex {
  const index: EnvironmentIndex = { exact: new Map(), wildcards: new Map(), prefixLengths: [] };
  for (const fn of functions) {
    // Left out here, so that the hot path has nothing to ask.
    if (fn.paused) continue;
    // Clients may send both fields with one of them null.
    const triggers = fn.config.triggers.filter((trigger) => "event" in trigger && trigger.event !== null);
    for (const trigger of triggers as EventTrigger[]) {
      const entry: Entry = { function: fn, holds: null, oneOfSeveral: triggers.length > 1 };
      if (trigger.expression) {
        try {
          entry.holds = conditionOf(trigger, trigger.expression);
        } catch (error) {
          onInvalid(fn, error as Error);
          continue;
        }
      }
      const prefix = wildcardPrefix(trigger.event);
      if (prefix === undefined) append(index.exact, trigger.event, entry);
      else append(index.wildcards, prefix, entry);
    }
  }
  index.prefixLengths = [...new Set([...index.wildcards.keys()].map((prefix) => prefix.length))];
  index.prefixLengths.sort((a, b) => a - b);
  return index;
}

/** Compiled conditions of the triggers that were indexed before: a sync of one app compiles none of the others. */
const conditions = new WeakMap<EventTrigger, ReturnType<typeof compileExpression>>();

function conditionOf(trigger: EventTrigger, expression: string): ReturnType<typeof compileExpression> {
  let condition = conditions.get(trigger);
  if (condition === undefined) {
    condition = compileExpression(expression);
    conditions.set(trigger, condition);
  }
  return condition;
}

function append(entries: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = entries.get(key);
  if (list === undefined) entries.set(key, [entry]);
  else list.push(entry);
}
