/** The API's own description, made from the schemas that validate it. */
import * as z from "zod";
import { type Route, route } from "../http/route.ts";
import { errorSchema } from "./answers.ts";

type Json = Record<string, unknown>;

export interface OpenApiOptions {
  /** Version of the service. */
  version: string;
}

/**
 * `GET /v1/openapi.json`, and `GET /v1` that leads to it.
 * @param routes all routes of the service; those with a summary are described
 */
export function openApiRoutes(routes: readonly Route[], options: OpenApiOptions): Route[] {
  const own: Route[] = [
    route({
      method: "GET",
      path: "/v1",
      access: "open",
      summary: "Find the description of the API",
      response: z.object({ data: z.object({ version: z.string(), openapi: z.string() }) }),
      handle: () => ({ body: { data: { version: options.version, openapi: "/v1/openapi.json" } } }),
    }),
    route({
      method: "GET",
      path: "/v1/openapi.json",
      access: "open",
      summary: "Get this description",
      response: z.record(z.string(), z.unknown()),
      handle: () => {
        text ??= JSON.stringify(describeApi([...routes, ...own], options));
        return { body: text };
      },
    }),
  ];
  // Made when first asked for: it takes some milliseconds that a start does not need.
  let text: string | undefined;
  return own;
}

/** The OpenAPI 3.1 document of the routes that have a summary, and of sending events. */
function describeApi(routes: readonly Route[], options: OpenApiOptions): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = { "/e/{event_key}": sendPath(schemas) };
  for (const each of routes) {
    if (each.summary === undefined) continue;
    const path = each.path.replace(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][each.method.toLowerCase()] = describeOperation(each, path, schemas);
  }
  const errors = schemaOf(errorSchema, "output", schemas);
  return {
    openapi: "3.1.0",
    info: {
      title: "svc",
      version: options.version,
      description:
        "Events in, durable function runs out. Lists are paged by `limit` and `cursor`; every error has the one shape `Error`.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    paths,
    components: {
      schemas,
      responses: { Error: { description: "An error", content: { "application/json": { schema: errors } } } },
      securitySchemes: {
        apiToken: { type: "http", scheme: "bearer", description: "An API token. Not needed by `svc dev`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "svc-session",
          description: "What `POST /v1/session` sets; `__Host-svc-session` under TLS.",
        },
      },
    },
  };
}

function describeOperation(each: Route, path: string, schemas: Json): Json {
  const parameters = [...pathParameters(path), ...queryParameters(each, schemas)];
  return {
    operationId: operationId(each.method, path),
    tags: [path.split("/")[2] ?? "api"],
    summary: each.summary,
    ...(each.description !== undefined && { description: each.description }),
    ...(each.access === "api" && {
      security: [{ apiToken: [] }, { session: [] }],
      "x-permission": each.permission,
      ...(each.account === true && { "x-account": true }),
    }),
    ...(parameters.length > 0 && { parameters }),
    ...(each.body !== undefined && {
      requestBody: {
        required: !each.body.safeParse(undefined).success,
        content: { "application/json": { schema: schemaOf(each.body, "input", schemas) } },
      },
    }),
    responses: {
      ...successOf(each, schemas),
      ...errorsOf(each, path),
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

function successOf(each: Route, schemas: Json): Json {
  if (each.responseType !== undefined) {
    return { 200: { description: "OK", content: { [each.responseType]: { schema: { type: "string" } } } } };
  }
  if (each.response === undefined) return { 204: { description: "Done" } };
  const schema = schemaOf(each.response, "output", schemas);
  return { 200: { description: "OK", content: { "application/json": { schema } } } };
}

function errorsOf(each: Route, path: string): Json {
  const statuses: number[] = [];
  if (each.query !== undefined || each.body !== undefined || path.includes("{")) statuses.push(400);
  if (each.access === "api") statuses.push(401, 403);
  if (path.includes("{")) statuses.push(404);
  return Object.fromEntries(statuses.map((status) => [status, { $ref: "#/components/responses/Error" }]));
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(each: Route, schemas: Json): Json[] {
  if (each.query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(each.query, "input", schemas) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description !== undefined && { description }),
    ...(Array.isArray(examples) && { example: examples[0] }),
    schema,
  }));
}

/** @example operationId("GET", "/v1/events/{id}/runs") // "getEventsByIdRuns" */
function operationId(method: string, path: string): string {
  const words = path
    .split("/")
    .slice(2)
    .map((part) => part.replace(/^\{(\w+)\}$/, "by_$1").replace(/\.json$/, ""));
  const name = words
    .join("_")
    .split(/[_-]/)
    .filter((word) => word !== "")
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join("");
  return method.toLowerCase() + (name === "" ? "Root" : name);
}

/** JSON Schema of a zod schema; schemas with an id of their own go to the components. */
function schemaOf(schema: z.ZodType, io: "input" | "output", components: Json): Json {
  const { $schema: _, $defs, ...own } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
  const relocated = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(relocated);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) =>
        name === "$ref" && typeof inner === "string"
          ? [name, inner.replace("#/$defs/", "#/components/schemas/")]
          : [name, relocated(inner)],
      ),
    );
  };
  for (const [name, definition] of Object.entries(($defs as Json | undefined) ?? {})) {
    const { id: _id, ...rest } = definition as Json;
    components[name] ??= relocated(rest);
  }
  const { id, ...rest } = own;
  if (typeof id !== "string") return relocated(rest) as Json;
  components[id] ??= relocated(rest);
  return { $ref: `#/components/schemas/${id}` };
}

const sentEvent = z
  .object({
    name: z.string().min(1).max(256).describe("At most 256 bytes; `svc/` and `inngest/` are reserved."),
    data: z.record(z.string(), z.unknown()),
    id: z.string().max(256).optional().describe("Events with the same id within 24 hours are stored once."),
    ts: z
      .number()
      .optional()
      .describe("When it happened, ms since 1970; a moment to come delays its functions until then."),
    v: z.unknown().optional(),
    user: z.unknown().optional(),
  })
  .meta({ id: "SentEvent" });

/** `POST /e/{event_key}`, which stands before the router. */
function sendPath(schemas: Json): Json {
  const event = schemaOf(sentEvent, "input", schemas);
  const answer = z.object({
    ids: z.array(z.string()).describe("One id per event, in order."),
    status: z.literal(200),
  });
  const json = { schema: { oneOf: [event, { type: "array", minItems: 1, maxItems: 5_000, items: event }] } };
  const error = { $ref: "#/components/responses/Error" };
  return {
    post: {
      operationId: "sendEvents",
      tags: ["send"],
      summary: "Send events",
      description:
        "One event or an array of them, all or nothing; answered once they are durable. NDJSON and CloudEvents 1.0 are taken too, and bodies may be compressed with gzip, deflate, br or zstd.",
      security: [],
      parameters: [...pathParameters("/{event_key}")],
      requestBody: {
        required: true,
        content: {
          "application/json": json,
          "application/x-ndjson": { schema: { type: "string" } },
          "application/cloudevents+json": { schema: { type: "object" } },
          "application/cloudevents-batch+json": { schema: { type: "array", items: { type: "object" } } },
        },
      },
      responses: {
        200: {
          description: "Stored",
          content: { "application/json": { schema: schemaOf(answer, "output", schemas) } },
        },
        400: error,
        401: error,
        403: error,
        413: error,
        415: error,
        429: error,
        503: error,
        default: error,
      },
    },
  };
}
