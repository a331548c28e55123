/** Finds the route of a path: compiled once, exact paths by one look-up. */
import { ServiceError } from "../errors.ts";
import type { Route } from "./route.ts";

/** The routes of one path by method. */
export type RoutesByMethod = ReadonlyMap<string, Route>;

export interface RouteMatch {
  routes: RoutesByMethod;
  params: Record<string, string>;
}

export interface RouteTable {
  /**
   * The routes of a path; exact segments win over `:parameters`, these over a trailing `*`.
   * @throws ServiceError `invalid_request` when a parameter is not decodable
   */
  find(path: string): RouteMatch | undefined;
}

interface Pattern {
  segments: string[];
  /** The last segment is `*`. */
  open: boolean;
  routes: Map<string, Route>;
}

const NO_PARAMS: Record<string, string> = Object.freeze({});

/** Compile routes. Throws on two routes of the same method and path: a mistake in the code. */
export function compileRoutes(routes: readonly Route[]): RouteTable {
  const exact = new Map<string, Map<string, Route>>();
  const patterns = new Map<string, Pattern>();
  for (const route of routes) {
    const segments = route.path.split("/").slice(1);
    let byMethod: Map<string, Route>;
    if (segments.some(isParameter) || segments.at(-1) === "*") {
      const shape = segments.map((segment) => (isParameter(segment) ? ":" : segment)).join("/");
      let pattern = patterns.get(shape);
      if (pattern === undefined) {
        const open = segments.at(-1) === "*";
        pattern = { segments: open ? segments.slice(0, -1) : segments, open, routes: new Map() };
        patterns.set(shape, pattern);
      }
      byMethod = pattern.routes;
    } else {
      byMethod = exact.get(route.path) ?? new Map();
      exact.set(route.path, byMethod);
    }
    if (byMethod.has(route.method)) throw new Error(`${route.method} ${route.path} is there twice`);
    byMethod.set(route.method, route);
  }
  const ordered = [...patterns.values()].sort(bySpecificity);

  return {
    find(path) {
      const routes = exact.get(path);
      if (routes !== undefined) return { routes, params: NO_PARAMS };
      const segments = path.split("/").slice(1);
      for (const pattern of ordered) {
        if (matches(pattern, segments)) {
          return { routes: pattern.routes, params: readParameters(pattern, segments) };
        }
      }
      return undefined;
    },
  };
}

function isParameter(segment: string): boolean {
  return segment.startsWith(":");
}

/** Compare segment by segment: a fixed one comes before a parameter, and anything before a star. */
function bySpecificity(a: Pattern, b: Pattern): number {
  if (a.open !== b.open) return a.open ? 1 : -1;
  for (let i = 0; i < Math.min(a.segments.length, b.segments.length); i++) {
    const difference = Number(isParameter(a.segments[i]!)) - Number(isParameter(b.segments[i]!));
    if (difference !== 0) return difference;
  }
  return b.segments.length - a.segments.length;
}

function matches({ segments: pattern, open }: Pattern, segments: string[]): boolean {
  if (open ? segments.length <= pattern.length : segments.length !== pattern.length) return false;
  return pattern.every((part, i) => (isParameter(part) ? segments[i] !== "" : part === segments[i]));
}

function readParameters({ segments: pattern, open }: Pattern, segments: string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (let i = 0; i < pattern.length; i++) {
    if (!isParameter(pattern[i]!)) continue;
    const name = pattern[i]!.slice(1);
    params[name] = decodeParameter(name, segments[i]!);
  }
  if (open) params["*"] = segments.slice(pattern.length).join("/");
  return params;
}

function decodeParameter(name: string, text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw new ServiceError("invalid_request", `\`${name}\` in the path is not a valid percent-encoding.`, {
      field: name,
    });
  }
  // No database takes NUL in a text.
  if (decoded.includes("\0")) {
    throw new ServiceError("invalid_request", `\`${name}\` in the path must not contain NUL.`, {
      field: name,
    });
  }
  return decoded;
}
