/** From a request to its route's handler and back: access, validation, answers, errors. Transport only. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createUlidGenerator } from "@svc/protocol";
import type { Access } from "../access/access.ts";
import { requestOrigin, requireSameOrigin } from "../access/request-origin.ts";
import type { Config } from "../config.ts";
import { ServiceError } from "../errors.ts";
import { type Logger, withFields } from "../observe/log.ts";
import { readBody } from "./body.ts";
import { clientAddress } from "./client-address.ts";
import { handleCors } from "./cors.ts";
import { sendError } from "./errors.ts";
import { parseJsonBody } from "./json-body.ts";
import { isLocalHost } from "./local-host.ts";
import { type Route, type RouteAnswer, type RouteRequest, streamed } from "./route.ts";
import { compileRoutes, type RoutesByMethod } from "./route-table.ts";
import { readQuery, validate } from "./validate.ts";

export interface RouterOptions {
  config: Pick<Config, "mode" | "host" | "trustProxy">;
  logger: Logger;
  /** Told of every answer: the pattern of the route (`unmatched` when there is none) and the status. */
  answered?: (pattern: string, status: number) => void;
  /** Asked about addresses that no route matches. @returns whether it has answered */
  dashboard?: (req: IncomingMessage, res: ServerResponse, path: string) => boolean;
}

export type Router = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

const DEFAULT_BODY_BYTES = 1024 * 1024;

/**
 * Compile routes into one request handler. It never rejects: whatever goes wrong becomes an error body.
 * @example const router = createRouter([...eventRoutes(parts)], access, { config, logger });
 */
export function createRouter(
  routes: readonly Route[],
  access: Pick<Access, "authenticate">,
  options: RouterOptions,
): Router {
  const { config, logger, answered, dashboard } = options;
  const table = compileRoutes(routes);
  const nextId = createUlidGenerator();
  const development = config.mode === "dev";

  return async (req, res) => {
    const requestId = givenRequestId(req) ?? nextId(Date.now());
    let pattern = "unmatched";
    try {
      res.setHeader("x-request-id", requestId);
      res.setHeader("x-content-type-options", "nosniff");
      if (development && handleCors(req, res, { privateNetwork: true })) return;
      const url = req.url ?? "/";
      const mark = url.indexOf("?");
      const path = mark === -1 ? url : url.slice(0, mark);
      const match = table.find(path);
      if (match === undefined) {
        if (!dashboard?.(req, res, path)) throw new ServiceError("not_found");
        pattern = "dashboard";
        return;
      }
      pattern = match.routes.values().next().value!.path;
      const route = match.routes.get(req.method === "HEAD" ? "GET" : (req.method ?? ""));
      if (route === undefined) {
        answerOtherMethod(req, res, match.routes);
        return;
      }
      if (development) refuseForeignPages(req, route, config.host);
      const query = readQuery(mark === -1 ? "" : url.slice(mark + 1));
      const origin = requestOrigin(req.headers, config.trustProxy);
      const authenticate = () => access.authenticate(route, req.headers, query.env, origin.secure);
      let { environment, actor } = await authenticate();
      if (actor.sessionId !== null || (route.access === "open" && route.forPages)) {
        requireSameOrigin(req.method, req.headers, origin);
      }
      const given = route.query === undefined ? query : validate(route.query, query);
      let body: unknown;
      if (route.body !== undefined) {
        const bytes = await readBody(req, { maxBytes: route.maxBodyBytes ?? DEFAULT_BODY_BYTES });
        // A body can take a minute on purpose: whoever lost a right meanwhile must not use it any more.
        ({ environment, actor } = await authenticate());
        const none = bytes.length === 0 && route.body.safeParse(undefined).success;
        body = validate(route.body, none ? undefined : parseJsonBody(bytes));
      }
      const request: RouteRequest = {
        method: req.method!,
        path,
        params: match.params,
        query: given,
        body,
        headers: req.headers,
        env: environment.id,
        environment,
        actor,
        remoteAddress: clientAddress(req, config.trustProxy),
        requestId,
        response: res,
      };
      const answer = await route.handle(request);
      if (answer !== streamed) send(res, answer);
    } catch (error) {
      sendError(res, error, withFields(logger, { request: requestId, method: req.method, route: pattern }));
    } finally {
      answered?.(pattern, res.statusCode);
    }
  };
}

/** A caller's own request id is kept when it is short and plain enough for a log line. */
function givenRequestId(req: IncomingMessage): string | undefined {
  const given = req.headers["x-request-id"];
  return typeof given === "string" && /^[\w.:-]{1,64}$/.test(given) ? given : undefined;
}

/** OPTIONS tells what there is; any other method is refused, saying the same. */
function answerOtherMethod(req: IncomingMessage, res: ServerResponse, routes: RoutesByMethod): void {
  const methods = [...routes.keys()];
  if (routes.has("GET")) methods.push("HEAD");
  res.setHeader("allow", [...methods, "OPTIONS"].join(", "));
  if (req.method !== "OPTIONS") throw new ServiceError("method_not_allowed");
  res.writeHead(204).end();
}

/**
 * In development nobody logs in, so a page in the developer's browser must not get in either: not under a
 * rebound name of its own, and not by posing as an app. Apps in containers reach us under any name, and never
 * send an `origin`.
 */
function refuseForeignPages(req: IncomingMessage, route: Route, host: string): void {
  if (route.access === "api" && !isLocalHost(req.headers.host, host)) {
    throw new ServiceError(
      "forbidden",
      "In development the API answers under the name localhost only. To use another one, start with --host.",
    );
  }
  if (route.access === "signing-key" && req.headers.origin !== undefined) {
    throw new ServiceError("forbidden", "Only apps may call this, not pages.");
  }
}

function send(res: ServerResponse, answer: RouteAnswer): void {
  // The client has gone: nobody is left to answer.
  if (res.destroyed) return;
  const { body, headers } = answer;
  if (body === undefined) {
    res.writeHead(answer.status ?? 204, headers).end();
    return;
  }
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  res.writeHead(answer.status ?? 200, {
    "content-type": "application/json",
    "content-length": bytes.length,
    ...headers,
  });
  res.end(bytes);
}
