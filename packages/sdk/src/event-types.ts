/** Types of events as users send and receive them. */
import type { SchemaInput, SchemaOutput, StandardSchema } from "./standard-schema.ts";

/** Schemas of the data of events, by event name. */
export type EventSchemas = Record<string, StandardSchema>;

/** Data of an event without a schema. */
// biome-ignore lint/suspicious/noExplicitAny: the sender decides what is in it; `unknown` would make every use a cast
export type AnyData = Record<string, any>;

/** An event to send. */
export interface EventToSend<Name extends string = string, Data = AnyData> {
  /** Name of the event, such as `shop/order.created`. */
  name: Name;
  data: Data;
  /** Deduplication id: later events with the same id are ignored for 24 hours, whatever their name. */
  id?: string;
  /** When it happened, milliseconds since the epoch; in the future, functions wait for it. Default: receipt. */
  ts?: number;
  /** Version of the payload's form, kept as sent. */
  v?: string;
  /** Facts about the user concerned, kept as sent. */
  user?: AnyData;
}

/** What `send()` takes: with schemas only their events, without any name and data. */
export type Sendable<S extends EventSchemas> = string extends keyof S
  ? Omit<EventToSend, "data"> & { data?: AnyData }
  : { [Name in keyof S & string]: EventToSend<Name, SchemaInput<S[Name]>> }[keyof S & string];

/** An event as a function receives it. */
export interface ReceivedEvent<Name extends string = string, Data = AnyData> {
  name: Name;
  data: Data;
  /** The sender's own id, or else the one the service gave. */
  id: string;
  /** Milliseconds since the epoch. */
  ts: number;
  v?: string;
  user?: AnyData;
}

/** What starts a function: an event's name, `{ event, if? }`, or an `eventType()`. */
export type Trigger<S extends EventSchemas = EventSchemas> =
  | (keyof S & string)
  | (string & {})
  | {
      /** Name of an event; may end in a wildcard, `shop/*`. */
      event: (keyof S & string) | (string & {});
      /** CEL expression on `event`, such as `event.data.total > 100`. */
      if?: string;
      /** Schema of the event's data: gives the handler its type. */
      schema?: StandardSchema;
    };

/** The event that a trigger hands to the handler. */
export type TriggeredEvent<S extends EventSchemas, T> = T extends readonly (infer Each)[]
  ? TriggeredEvent<S, Each>
  : T extends { event: infer Name extends string; schema: infer X extends StandardSchema }
    ? ReceivedEvent<Name, SchemaOutput<X>>
    : T extends { event: infer Name extends string }
      ? NamedEvent<S, Name>
      : T extends string
        ? NamedEvent<S, T>
        : never;

type NamedEvent<S extends EventSchemas, Name extends string> = string extends keyof S
  ? ReceivedEvent<Name>
  : Name extends keyof S
    ? ReceivedEvent<Name, SchemaOutput<S[Name]>>
    : ReceivedEvent<Name>;

/**
 * An event's name and the schema of its data in one value, to use as a trigger.
 * @example
 * const orderCreated = eventType("shop/order.created", z.object({ orderId: z.string() }));
 * client.createFunction({ id: "ship" }, orderCreated, async ({ event }) => event.data.orderId);
 */
export function eventType<Name extends string, X extends StandardSchema>(
  event: Name,
  schema: X,
): { event: Name; schema: X } {
  return { event, schema };
}
