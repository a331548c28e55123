/** A request in a file, and what a transform should make of it. */
import * as z from "zod";
import { isDeeperThan, MAX_JSON_DEPTH } from "../../nesting.ts";
import { canonicalHeaders } from "../../webhooks/canonical-headers.ts";
import type { Interpreted } from "../../webhooks/interpret.ts";
import type { RequestPayload } from "../../webhooks/request.ts";
import { type Difference, differences } from "./difference.ts";
import { CommandFailure, plain } from "./failure.ts";
import { readText } from "./folder.ts";

/** A body of 4 MiB with its escapes, and what is expected of it. */
const MAX_FIXTURE_BYTES = 16 * 1024 * 1024;

const eventSchema = z.strictObject({
  name: z.string(),
  data: z.record(z.string(), z.unknown()),
  id: z.string().nullable().optional(),
  ts: z.number().optional(),
  user: z.record(z.string(), z.unknown()).optional(),
  v: z.string().optional(),
});

const fixtureSchema = z.strictObject({
  name: z.string().max(500).optional(),
  /** Transforms are not told of it; it is there to be read. */
  method: z.string().max(20).optional(),
  headers: z.record(z.string(), z.string()).default({}),
  query: z.string().default(""),
  /** Text is the body as it is, anything else is sent as JSON. */
  body: z.unknown(),
  body_encoding: z.enum(["utf8", "base64"]).default("utf8"),
  expect: z.union([eventSchema, z.array(eventSchema), z.null()]).optional(),
});

export type Fixture = z.infer<typeof fixtureSchema>;

/** @throws CommandFailure with the place of what is wrong */
export async function readFixture(path: string): Promise<Fixture> {
  const text = await readText(path, MAX_FIXTURE_BYTES);
  if (text === null) throw new CommandFailure(`${plain(path)} is not there.`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new CommandFailure(`${plain(path)} is not JSON: ${plain((error as Error).message)}`);
  }
  if (isDeeperThan(json, MAX_JSON_DEPTH)) throw new CommandFailure(`${plain(path)} nests too deep.`);
  const result = fixtureSchema.safeParse(json);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const place = issue.path.map(String).join(".");
    throw new CommandFailure(
      `${plain(path)}: ${plain(place === "" ? issue.message : `${place}: ${issue.message}`)}`,
    );
  }
  if (result.data.body_encoding === "base64" && typeof result.data.body !== "string") {
    throw new CommandFailure(`${plain(path)}: body: must be base64 text.`);
  }
  return result.data;
}

/** The request of a fixture, as a transform's arguments are made of it. */
export function payloadOfFixture({ headers, query, body, body_encoding }: Fixture): RequestPayload {
  return {
    query: query.replace(/^\?/, ""),
    headers: JSON.stringify(canonicalHeaders(Object.entries(headers).flat())),
    body: typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body),
    body_encoding,
  };
}

/** An event as fixtures have it; `ts` is always there. */
export interface ShownEvent {
  name: string;
  data: unknown;
  id?: string;
  ts: number;
  [more: string]: unknown;
}

/** The events of a call, as the service would store them. */
export function eventsOf({ events }: Interpreted): ShownEvent[] {
  return events.map(({ name, data, idempotencyId, ts, extra }) => ({
    name,
    data: JSON.parse(data),
    ...(idempotencyId !== null && { id: idempotencyId }),
    ts,
    ...(extra !== null && JSON.parse(extra)),
  }));
}

/** What is not as a fixture expects; nothing when it expects nothing. */
export function unexpected({ expect }: Fixture, events: readonly ShownEvent[]): Difference[] {
  if (expect === undefined) return [];
  const wanted = expect === null ? [] : Array.isArray(expect) ? expect : [expect];
  const given = events.map((event, i) =>
    wanted[i] !== undefined && wanted[i].ts === undefined ? withoutTime(event) : event,
  );
  return differences(wanted.map(withoutNull), given, "events");
}

function withoutTime({ ts: _, ...event }: ShownEvent): Omit<ShownEvent, "ts"> {
  return event;
}

/** `"id": null` is no id. */
function withoutNull({ id, ...event }: z.infer<typeof eventSchema>) {
  return id === null || id === undefined ? event : { ...event, id };
}
