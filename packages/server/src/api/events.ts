/** `/v1/events`: what was received, and sending it again. */
import * as z from "zod";
import { ServiceError } from "../errors.ts";
import { type Route, route } from "../http/route.ts";
import type { ListedEvent } from "../store/queries/list-events.ts";
import type { EventKey } from "../store/queries/newest-events.ts";
import { one, pageOf, pageText } from "./answers.ts";
import {
  eventDetailSchema,
  eventFields,
  eventSchema,
  eventSummarySchema,
  eventSummaryText,
  eventText,
} from "./event-answer.ts";
import { eventFilter, namesLeftOut } from "./event-filter.ts";
import { eventNames } from "./event-names.ts";
import { eventStats } from "./event-stats.ts";
import { eventStream } from "./event-stream.ts";
import { eventCursor, idCursor, limitParameter, MAX_PAGE_BYTES, timeParameter } from "./parameters.ts";
import type { ApiParts } from "./parts.ts";
import { runSchema, runText } from "./run-answer.ts";
import { sendEvents } from "./send-events.ts";

export type EventParts = Pick<
  ApiParts,
  "access" | "store" | "feed" | "registry" | "operations" | "clock" | "stopping"
>;

/** Above every time of receipt. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

const listQuery = eventFilter.extend({
  after: timeParameter("Received at or after."),
  before: timeParameter("Received before."),
  limit: limitParameter,
  cursor: eventCursor,
  fields: eventFields,
});

const cursorOf = (next: EventKey | null) => (next === null ? null : [next.received_at, next.id]);

export function eventRoutes(parts: EventParts): Route[] {
  const { store, operations } = parts;
  const running = (env: string) => (runId: string) => operations.isRunning(env, runId);

  const find = async (env: string, id: string | undefined): Promise<ListedEvent> => {
    const event = await store.query("findEvent", { env, id: id ?? "" });
    if (event === null) throw new ServiceError("not_found", "There is no such event.");
    return event;
  };

  return [
    route({
      method: "GET",
      path: "/v1/events",
      access: "api",
      permission: "read",
      summary: "List events, newest first",
      description:
        "A search that no index serves looks at a bounded number of events per page; its pages may be short, even empty, while `has_more` is true.",
      query: listQuery,
      response: pageOf(z.union([eventSchema, eventSummarySchema])),
      async handle({ env, environment, query }) {
        const { name, id, source, q, after, before, limit, cursor, fields } = query;
        const chosen = {
          env,
          names: name ?? null,
          except: namesLeftOut(query),
          id: id || null,
          source: source || null,
          text: q || null,
          after: after ?? 0,
          before: before ?? END_OF_TIME,
          cursor: cursor === undefined ? null : { received_at: cursor[0], id: cursor[1] },
          limit,
        };
        if (fields === "summary") {
          const { events, next } = await store.query("listEventSummaries", chosen);
          const rows = events.map((event) => eventSummaryText(event, environment.name, running(env)));
          return { body: pageText(rows, cursorOf(next)) };
        }
        const { events, next } = await store.query("listEvents", { ...chosen, maxBytes: MAX_PAGE_BYTES });
        const rows = events.map((event) => eventText(event, environment.name, running(env)));
        return { body: pageText(rows, cursorOf(next)) };
      },
    }),
    eventNames(parts),
    sendEvents(parts),
    eventStats(parts),
    eventStream(parts),
    route({
      method: "GET",
      path: "/v1/events/:id",
      access: "api",
      permission: "read",
      summary: "Get an event",
      description: "By its id, else the newest event to which its sender gave that id.",
      response: one(eventDetailSchema),
      async handle({ env, environment, params }) {
        const event = await find(env, params.id);
        const request =
          event.source_kind === "webhook"
            ? await store.query("requestOfEvent", { env, eventId: event.id })
            : null;
        const more = { webhook_request: request };
        return { body: `{"data":${eventText(event, environment.name, running(env), more)}}` };
      },
    }),
    route({
      method: "GET",
      path: "/v1/events/:id/runs",
      access: "api",
      permission: "read",
      summary: "List the runs an event has started, newest first",
      query: z.object({ limit: limitParameter, cursor: idCursor }),
      response: pageOf(runSchema),
      async handle({ env, params, query }) {
        const event = await find(env, params.id);
        const page = await store.query("listRuns", {
          env,
          event: event.id,
          functions: null,
          app: null,
          statuses: null,
          after: null,
          before: null,
          cursor: query.cursor ?? null,
          limit: query.limit,
          maxBytes: MAX_PAGE_BYTES,
        });
        return {
          body: pageText(
            page.runs.map((run) => runText(run, parts)),
            page.next,
          ),
        };
      },
    }),
    route({
      method: "POST",
      path: "/v1/events/:id/replay",
      access: "api",
      permission: "send",
      summary: "Send an event again",
      description: "As a new event with a new id: every function that listens to it runs once more.",
      response: one(z.object({ id: z.string().describe("Id of the new event.") })),
      async handle({ env, params }) {
        const event = await find(env, params.id);
        const id = await operations.replay(env, event.id);
        if (id === null) throw new ServiceError("not_found", "There is no such event.");
        return { body: { data: { id } } };
      },
    }),
  ];
}
