/** An event that is worth sending to begin with. */
import type { Fn } from "../api/types.ts";
import { exampleEvent } from "../place.ts";
import { isReserved } from "./draft.ts";

/** Names of the events a function listens to and that people can send: some are for the service alone. */
export function eventsOf({ triggers }: Pick<Fn, "triggers">): string[] {
  return triggers
    .flatMap((trigger) => ("event" in trigger ? trigger.event : []))
    .filter((name) => !isReserved(name));
}

/** The event that the service suggests, else one that starts something. @param functions those that are known so far */
export function suggestedEvent(functions: readonly Pick<Fn, "triggers">[]): { name: string; data: unknown } {
  const plain = functions.flatMap(eventsOf).filter((name) => /^[\w./-]+$/.test(name));
  if (plain.length === 0 || plain.includes(exampleEvent.name)) return exampleEvent;
  return { name: plain[0]!, data: { n: 1 } };
}
