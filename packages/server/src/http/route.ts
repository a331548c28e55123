/** What a route is: its place, who may call it, the schemas that validate it and describe it in OpenAPI. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { ZodType } from "zod";

/** Who may call: everybody, holders of an API token, or apps with the signing key of an environment. */
export type RouteAccess = "open" | "api" | "signing-key";

export interface RouteRequest<Query = unknown, Body = unknown> {
  method: string;
  path: string;
  /** Decoded values of the path's `:parameters`. */
  params: Record<string, string>;
  /** Validated by the route's schema, if it has one; else all values by name (the last one wins). */
  query: Query;
  /** Parsed and validated by the route's schema; undefined when the route has none. */
  body: Body;
  headers: IncomingHttpHeaders;
  /** The environment the caller's credentials (and `x-svc-env`) lead to. */
  env: string;
  remoteAddress: string;
  /** For answers that stream; a handler that takes it returns `streamed`. */
  response: ServerResponse;
}

/** `body` is sent as JSON; a string goes out as it is, with the given content type. */
export interface RouteAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Returned by a handler that has written the response itself. */
export const streamed: unique symbol = Symbol("streamed");

export interface Route<Query = unknown, Body = unknown> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** e.g. `/v1/events/:id` */
  path: string;
  access: RouteAccess;
  /** One line for OpenAPI; routes without it stay out of the document. */
  summary?: string;
  query?: ZodType<Query>;
  body?: ZodType<Body>;
  /** Schema of the 200 answer. */
  response?: ZodType;
  /** Largest body, decoded bytes; 1 MiB if not given. */
  maxBodyBytes?: number;
  handle(
    request: RouteRequest<Query, Body>,
  ): RouteAnswer | typeof streamed | Promise<RouteAnswer | typeof streamed>;
}

/** Keeps the types of a route's schemas and its handler together. */
export function route<Query = Record<string, string>, Body = undefined>(
  definition: Route<Query, Body>,
): Route {
  return definition as unknown as Route;
}
