/** What a route is: its place, who may call it, the schemas that validate it and describe it in OpenAPI. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { ZodType } from "zod";
import type { Actor, Permission } from "../access/actor.ts";
import type { EnvironmentRecord } from "../store/access-records.ts";

/** Who may call a route. */
export type RouteRule =
  /** Everybody. */
  | {
      access: "open";
      /** It may begin a session: pages of other sites may not call it. */
      forPages?: true;
    }
  /** People with a session and holders of an API token who have the permission. */
  | {
      access: "api";
      /** `any`: whoever is known. */
      permission: Permission | "any";
      /** About the whole service: tokens of one environment may not. */
      account?: true;
    }
  /** Apps with the signing key of an environment. */
  | {
      access: "signing-key";
      /** A branch environment that is not there yet is created. */
      opensBranch?: true;
      /** About a run under way: those of an archived environment go on to their end. */
      ofRuns?: true;
    };

export interface RouteRequest<Query = unknown, Body = unknown> {
  /** `HEAD` reaches handlers of `GET`; what they answer is sent without its body. */
  method: string;
  path: string;
  /** Decoded values of the path's `:parameters`; `*` has what a trailing star matched, undecoded. */
  params: Record<string, string>;
  /** Validated by the route's schema, if it has one; else all values by name (the last one wins). */
  query: Query;
  /** Parsed and validated by the route's schema; undefined when the route has none. */
  body: Body;
  headers: IncomingHttpHeaders;
  /** Id of the environment that the caller's credentials, `x-svc-env` and the query parameter `env` lead to. */
  env: string;
  environment: EnvironmentRecord;
  actor: Actor;
  /** Address of the peer, or of the client when a proxy is trusted. */
  remoteAddress: string;
  /** Also in the `x-request-id` header of the answer. */
  requestId: string;
  /** For answers that stream; a handler that takes it returns `streamed`. */
  response: ServerResponse;
}

/** `body` is sent as JSON; a string goes out as it is, as JSON text unless `headers` say another type. */
export interface RouteAnswer {
  /** 200 if not given, 204 when there is no body either. */
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Returned by a handler that has written the response itself. */
export const streamed: unique symbol = Symbol("streamed");

interface RouteDefinition<Query, Body> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** e.g. `/v1/events/:id`; a last segment `*` takes any rest of the path. */
  path: string;
  /** One line for OpenAPI; routes without it stay out of the document. */
  summary?: string;
  /** More for OpenAPI, CommonMark. */
  description?: string;
  query?: ZodType<Query>;
  /** A schema that takes `undefined` makes the body optional. */
  body?: ZodType<Body>;
  /** Schema of the 200 answer. */
  response?: ZodType;
  /** Media type of the 200 answer; JSON if not given. */
  responseType?: string;
  /** Largest body, decoded bytes; 1 MiB if not given. */
  maxBodyBytes?: number;
  handle(
    request: RouteRequest<Query, Body>,
  ): RouteAnswer | typeof streamed | Promise<RouteAnswer | typeof streamed>;
}

export type Route<Query = unknown, Body = unknown> = RouteRule & RouteDefinition<Query, Body>;

/** Keeps the types of a route's schemas and its handler together. */
export function route<Query = Record<string, string>, Body = undefined>(
  definition: Route<Query, Body>,
): Route {
  return definition as unknown as Route;
}
