/** Events as the API shows them. */
import * as z from "zod";
import type { EventSummary } from "../store/queries/list-event-summaries.ts";
import type { ListedEvent } from "../store/queries/list-events.ts";
import { isoTime, toIso } from "./answers.ts";
import { RUN_STATUSES } from "./run-answer.ts";

const SOURCE_KINDS = ["key", "webhook", "step", "api", "cron", "service"] as const;

export const eventSummarySchema = z
  .object({
    id: z.string().describe("Given by the service; a ULID."),
    name: z.string(),
    ts: isoTime.nullable().describe("When it happened, as its sender says; else when it was received."),
    received_at: isoTime,
    idempotency_id: z.string().nullable().describe("The id its sender gave it."),
    source: z.object({
      kind: z
        .enum(SOURCE_KINDS)
        .describe("`service`: sent by the service itself, such as `svc/function.finished`."),
      name: z.string().nullable(),
    }),
    environment: z.string(),
    size_bytes: z.int().describe("Of `data` as JSON, in UTF-8."),
    run_count: z.int().describe("Runs it has started."),
    runs: z
      .array(z.object({ id: z.string(), function_id: z.string(), status: z.enum(RUN_STATUSES) }))
      .describe("The first ten of them."),
  })
  .meta({ id: "EventSummary" });

export const eventSchema = eventSummarySchema
  .extend({
    data: z.record(z.string(), z.unknown()),
    v: z.unknown().describe("As sent; null when it was not."),
    user: z.unknown().describe("As sent; null when it was not."),
    cloudevent: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("The other attributes of a CloudEvent."),
  })
  .meta({ id: "Event" });

/** What lists and the live stream send of an event. */
export const eventFields = z
  .enum(["all", "summary"])
  .default("all")
  .describe("`summary` leaves out what the event carried: `data`, `v`, `user` and `cloudevent`.");

export const eventDetailSchema = eventSchema
  .extend({
    webhook_request: z
      .object({ webhook_id: z.string(), request_id: z.string() })
      .nullable()
      .describe(
        "The request of a webhook that it was made of; null when it came another way, or that is gone.",
      ),
  })
  .meta({ id: "EventDetail" });

/** Parts that senders may add to an event. */
interface Extra {
  user?: unknown;
  v?: unknown;
  cloudevent?: Record<string, unknown>;
}

/**
 * An event as JSON text. Its data is put in as it is stored: parsing half a megabyte to write it again would cost
 * the hot path milliseconds.
 * @param environment the name of its environment
 * @param isRunning whether a call of a queued run is under way
 * @param more members to add
 */
export function eventText(
  event: Omit<ListedEvent, "env">,
  environment: string,
  isRunning: (runId: string) => boolean,
  more: Record<string, unknown> = {},
): string {
  const extra: Extra = event.extra === null ? {} : JSON.parse(event.extra);
  const { id, name, data } = event;
  const rest = {
    ...factsOf({ ...event, data_bytes: Buffer.byteLength(data) }, environment, isRunning),
    v: extra.v ?? null,
    user: extra.user ?? null,
    ...(extra.cloudevent !== undefined && { cloudevent: extra.cloudevent }),
    ...more,
  };
  return `{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"data":${data},${JSON.stringify(rest).slice(1)}`;
}

/** An event as JSON text, without what it carried. @see eventText */
export function eventSummaryText(
  event: Omit<EventSummary, "env">,
  environment: string,
  isRunning: (runId: string) => boolean,
): string {
  const { id, name } = event;
  return JSON.stringify({ id, name, ...factsOf(event, environment, isRunning) });
}

/** What the service knows of an event beside its name. */
function factsOf(
  event: Omit<EventSummary, "env">,
  environment: string,
  isRunning: (runId: string) => boolean,
) {
  return {
    ts: toIso(event.ts),
    received_at: toIso(event.received_at),
    idempotency_id: event.idempotency_id,
    source: { kind: event.source_kind, name: event.source_name },
    environment,
    size_bytes: event.data_bytes,
    run_count: event.run_count,
    runs: event.runs.map(({ id, function_id, status }) => ({
      id,
      function_id,
      status: status === "queued" && isRunning(id) ? "running" : status,
    })),
  };
}
