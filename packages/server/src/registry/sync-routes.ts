/** Where apps register, and where clients find out that this is a development server. */
import { type Dialect, dialectOf, HEADER, headerName, readHeader } from "@svc/protocol";
import * as z from "zod";
import type { Config } from "../config.ts";
import { ServiceError } from "../errors.ts";
import { type Route, type RouteAnswer, type RouteRequest, route } from "../http/route.ts";
import type { AppRegistry } from "./registry.ts";
import { parseSync } from "./validate-sync.ts";

/** A sync of 1,000 functions is about 400 KB. */
const MAX_SYNC_BYTES = 4 * 1024 * 1024;

/** What the service calls itself towards apps. */
export function serverKind(mode: Config["mode"]): "dev" | "cloud" {
  return mode === "dev" ? "dev" : "cloud";
}

/** The routes of the registry: `POST /fn/register`, and `GET /dev` in development. */
export function syncRoutes(parts: {
  registry: AppRegistry;
  config: Pick<Config, "mode" | "discovery" | "poll" | "appUrls">;
}): Route[] {
  const { registry, config } = parts;
  const routes: Route[] = [
    route<Record<string, string>, unknown>({
      method: "POST",
      path: "/fn/register",
      access: "signing-key",
      opensBranch: true,
      body: z.unknown(),
      maxBodyBytes: MAX_SYNC_BYTES,
      handle: (request) => register(registry, config.mode, request),
    }),
  ];
  if (config.mode === "dev") {
    routes.push(
      route({ method: "GET", path: "/dev", access: "open", handle: () => describeServer(registry, config) }),
    );
  }
  return routes;
}

async function register(
  registry: AppRegistry,
  mode: Config["mode"],
  request: RouteRequest<Record<string, string>, unknown>,
): Promise<RouteAnswer> {
  const { headers, env } = request;
  const dialect = dialectOf(headers);
  const answerHeaders = serverKindHeader(dialect, mode);
  try {
    refuseOtherServerKind(readHeader(headers, HEADER.expectedServerKind), mode);
    const outcome = await registry.sync(env, await parseSync(request.body), {
      dialect,
      sdk: readHeader(headers, HEADER.sdk),
      framework: readHeader(headers, HEADER.framework),
    });
    return { status: 200, headers: answerHeaders, body: outcome };
  } catch (error) {
    // A refusal, too, says what kind of server refuses; faults of our own go the way of all others.
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    return { status: error.status, headers: answerHeaders, body: error.toJSON() };
  }
}

function serverKindHeader(dialect: Dialect, mode: Config["mode"]): Record<string, string> {
  return { [headerName(dialect, HEADER.serverKind)]: serverKind(mode) };
}

/** An app that was asked to sync by another kind of server must not end up here. */
function refuseOtherServerKind(expected: string | undefined, mode: Config["mode"]): void {
  const kind = serverKind(mode);
  if (expected === undefined || expected === "" || expected === kind) return;
  throw new ServiceError(
    "invalid_request",
    kind === "dev"
      ? `The app was asked to sync by a production server, but it has registered with a development server (svc dev). Check the base URL and the dev setting of the app.`
      : `The app was asked to sync by a development server, but it has registered with a production server (svc start). Check the base URL and the dev setting of the app.`,
    { field: "expected-server-kind" },
  );
}

/** What clients look at to tell that a development server is there; any JSON will do for most. */
function describeServer(
  registry: AppRegistry,
  config: Pick<Config, "discovery" | "poll" | "appUrls">,
): RouteAnswer {
  const environments = new Set(registry.apps().map((app) => app.env));
  const functions = [...environments].flatMap((env) => registry.functions(env));
  return {
    headers: { ...serverKindHeader("svc", "dev"), ...serverKindHeader("inngest", "dev") },
    body: {
      startOpts: { autodiscover: config.discovery, poll: config.poll, urls: config.appUrls },
      functions: functions.map(({ id, name, url, config: { triggers } }) => ({
        id,
        name,
        url,
        triggers,
      })),
      handlers: [],
      authed: false,
      isMissingSigningKey: false,
      isMissingEventKeys: false,
    },
  };
}
