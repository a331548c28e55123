/** `GET /v1/events/stream`: events as they come, as server-sent events. */
import type { ServerResponse } from "node:http";
import type * as z from "zod";
import { ServiceError } from "../errors.ts";
import { type Route, route, streamed } from "../http/route.ts";
import { eventFields, eventSummaryText, eventText } from "./event-answer.ts";
import type { StoredEvents } from "./event-feed.ts";
import { createLiveFilter, eventFilter, type LiveFilter } from "./event-filter.ts";
import type { ApiParts } from "./parts.ts";

/** Streams of one process. Each costs a filter per event and a buffer. */
const MAX_STREAMS = 200;
/** What a slow client may have waiting for it, bytes. */
const MAX_BUFFERED = 1024 * 1024;
/** Under the idle limits of common proxies, which begin at 30 s. */
const HEARTBEAT_MS = 15_000;
/** How soon a stream without events ends once its session or token has; one with events ends before the next one. */
const CHECK_MS = 1_000;
const ENDED = ": ended, because the session or token it was opened with may read no longer\n\n";

const streamQuery = eventFilter.extend({ fields: eventFields });
type Fields = z.output<typeof eventFields>;

export function eventStream(parts: Pick<ApiParts, "access" | "feed" | "clock" | "stopping">): Route {
  const { access, feed, clock, stopping } = parts;
  /** What ends each open stream. */
  const open = new Set<(why: string) => void>();
  stopping.addEventListener("abort", () => {
    for (const stop of open) stop(": the service is stopping\n\n");
  });
  return route({
    method: "GET",
    path: "/v1/events/stream",
    access: "api",
    permission: "read",
    summary: "Watch events as they come",
    description:
      "Server-sent events named `event`, with the event as JSON. A client that does not keep up is dropped, with a comment that says so; it can list what it missed.",
    query: streamQuery,
    responseType: "text/event-stream",
    handle({ method, env, environment, actor, query, response }) {
      if (method === "HEAD") return { headers: { "content-type": "text/event-stream" }, body: "" };
      if (stopping.aborted) throw new ServiceError("unavailable", "The service is stopping.");
      if (open.size >= MAX_STREAMS) {
        throw new ServiceError("rate_limited", `There are ${MAX_STREAMS} live streams already.`, {
          retry_after: 10,
        });
      }
      response.writeHead(200, {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        // Proxies that gather answers would hold back a live one.
        "x-accel-buffering": "no",
      });
      response.write(": connected\n\n");
      const accepts = createLiveFilter(query);
      const unsubscribe = feed.onEvents((stored) => {
        if (stored.env !== env) return;
        if (!access.holds(actor, "read")) stop(ENDED);
        else if (!send(response, stored, { accepts, environment: environment.name, fields: query.fields }))
          end();
      });
      let silentMs = 0;
      const check = () => {
        if (!access.holds(actor, "read")) {
          stop(ENDED);
          return;
        }
        silentMs += CHECK_MS;
        if (silentMs >= HEARTBEAT_MS) {
          silentMs = 0;
          if (response.writableLength === 0) response.write(": ping\n\n");
        }
        disarm = clock.after(CHECK_MS, check);
      };
      let disarm = clock.after(CHECK_MS, check);
      const stop = (why: string) => {
        response.write(why);
        end();
      };
      const end = () => {
        response.end();
        release();
      };
      const release = () => {
        open.delete(stop);
        unsubscribe();
        disarm();
      };
      open.add(stop);
      response.on("close", release);
      return streamed;
    },
  });
}

/** @returns false when the client is too slow, and has been told */
function send(
  response: ServerResponse,
  stored: StoredEvents,
  { accepts, environment, fields }: { accepts: LiveFilter; environment: string; fields: Fields },
): boolean {
  for (const event of stored.events) {
    if (!accepts(stored, event)) continue;
    if (response.writableLength > MAX_BUFFERED) {
      response.write(": dropped, because events came faster than they were read\n\n");
      return false;
    }
    const text = liveText(stored, event, environment, fields);
    response.write(`id: ${event[0]}\nevent: event\ndata: ${text}\n\n`);
  }
  return true;
}

function liveText(
  stored: StoredEvents,
  event: StoredEvents["events"][number],
  environment: string,
  fields: Fields,
): string {
  const [id, name, ts, idempotency_id, data, extra, runs] = event;
  const facts = {
    id,
    name,
    ts,
    received_at: stored.receivedAt,
    idempotency_id,
    source_kind: stored.source.kind,
    source_name: stored.source.name,
    run_count: runs?.length ?? 0,
    runs: (runs ?? [])
      .slice(0, 10)
      .map(([runId, functionId]) => ({ id: runId, function_id: functionId, status: "queued" as const })),
  };
  const isRunning = () => false;
  return fields === "summary"
    ? eventSummaryText({ ...facts, data_bytes: Buffer.byteLength(data) }, environment, isRunning)
    : eventText({ ...facts, data, extra }, environment, isRunning);
}
