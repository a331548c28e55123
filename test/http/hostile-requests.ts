/** Requests nobody should send, at random: every part of them may be right, nearly right or absurd. */
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import type { RawRequest } from "./raw-http.ts";

const RECORDING = new URL("../../packages/server/test/recordings/inngest-4.24.0-sync.json", import.meta.url);
/** The body of a real sync. */
export const syncBody = () => JSON.parse(readFileSync(RECORDING, "utf8")) as Record<string, unknown>;

/** Numbers that JSON can say and `JSON.stringify` cannot: put in as this text, then replaced. */
const HUGE = "@@huge@@";
/** JSON text of a value, with numbers beyond doubles. */
export const jsonText = (value: unknown) => JSON.stringify(value).replaceAll(`"${HUGE}"`, "1e999");

export const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown;

/** Values for a place that expects others. */
export const absurd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    0.5,
    1e308,
    -1e308,
    HUGE,
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
  ),
  fc.constantFrom<unknown>(
    [],
    {},
    [[]],
    [null],
    { id: {} },
    JSON.parse('{"__proto__":{"x":1}}'),
    "__proto__",
  ),
  fc.constantFrom<unknown>(
    "hasOwnProperty",
    "1e400w",
    "9999999999d",
    "../../etc/passwd",
    "'; DROP TABLE runs; --",
  ),
  fc.constantFrom<unknown>("x".repeat(10_000), Array(1_000).fill(1), nested(100), nested(499)),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.jsonValue({ maxDepth: 3 }),
);

type Path = (string | number)[];
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, key]))];
}

/** A valid body with one or a few of its values made absurd, left out, or accompanied by an unknown field. */
export function mutated(valid: unknown): fc.Arbitrary<unknown> {
  const places = placesOf(valid).filter((path) => path.length > 0);
  const change = fc.record({
    place: fc.constantFrom(...places),
    value: fc.option(absurd, { freq: 8 }),
    add: fc.boolean(),
  });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const body = structuredClone(valid);
    for (const { place, value, add } of changes) {
      let parent = body as Record<string, unknown>;
      for (const key of place.slice(0, -1)) parent = (parent?.[key] ?? {}) as Record<string, unknown>;
      if (typeof parent !== "object") continue;
      const key = place.at(-1)!;
      if (value === null && !add) delete parent[key];
      else parent[add && !Array.isArray(parent) ? "__extra__\0" : key] = structuredClone(value);
    }
    return body;
  });
}

const oddSegment = fc.oneof(
  fc.constantFrom(
    "%00",
    "%ff",
    "%2f",
    "%2e%2e",
    "..",
    ".",
    "%",
    "%zz",
    "%ED%A0%80",
    "a%00b",
    "*",
    ":id",
    "__proto__",
  ),
  fc.constantFrom(
    "constructor",
    "x".repeat(3_000),
    "%F0%9F%92%A9",
    "\xe9",
    "dev",
    "01KQHPHXG0F4ZXGGSTM5JSMNN5",
  ),
  fc
    .string({ maxLength: 8 })
    .map(encodeURIComponent)
    .filter((text) => text !== ""),
);
const cursors = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((value) => Buffer.from(JSON.stringify(value)).toString("base64url")),
  fc.constantFrom("", "!", "bnVsbA", "x".repeat(2_000)),
);
const parameter = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      "limit",
      "after",
      "before",
      "bucket",
      "status",
      "function",
      "event",
      "q",
      "name",
      "id",
      "env",
    ),
    fc.constantFrom(
      "0",
      "-1",
      "1e9",
      "NaN",
      "2026-13-45",
      "0000-01-01",
      "9999999999999999",
      "a,b,,c",
      "%00",
      "\xff",
      "%25",
      "*",
      "%ED%A0%80",
      "'",
      "1w",
      "1e-9s",
      "x".repeat(4_000),
      "_%5C%25",
      "dev",
    ),
  ),
  fc.tuple(fc.constant("cursor"), cursors),
  fc.tuple(
    fc.constantFrom("__proto__", "constructor", "a[b]", "", "%00", "x".repeat(2_000)),
    fc.constantFrom("1", "%00", ""),
  ),
);
const query = fc
  .array(parameter, { maxLength: 5 })
  .map((all) => (all.length === 0 ? "" : `?${all.map(([name, value]) => `${name}=${value}`).join("&")}`));

const header = fc.oneof(
  fc.tuple(
    fc.constant("authorization"),
    fc.constantFrom(
      "Bearer",
      "Bearer  ",
      "Basic eDp5",
      "Bearer \xff",
      `Bearer ${"x".repeat(5_000)}`,
      "bearer test-api-token",
      "Bearer test-api-token",
    ),
  ),
  fc.tuple(
    fc.constantFrom(
      "host",
      "origin",
      "x-request-id",
      "x-svc-env",
      "x-inngest-env",
      "x-svc-event-id-seed",
      "x-forwarded-for",
      "x-svc-expected-server-kind",
      "x-svc-sdk",
      "access-control-request-method",
      "access-control-request-headers",
    ),
    fc.constantFrom(
      "",
      "dev",
      "production",
      "localhost",
      "evil.example",
      "\xff\xfe",
      "a,b",
      "0,AAAA",
      "-1,AAAAAAAAAAAAAAAAAAAA",
      "x".repeat(2_000),
      "[::1",
      "cloud",
    ),
  ),
  fc.tuple(
    fc.constant("content-type"),
    fc.constantFrom(
      "application/x-ndjson",
      "application/cloudevents+json",
      "application/cloudevents-batch+json",
      "text/html",
      "application/json; charset=utf-16",
      "\xff",
      ";;;",
    ),
  ),
  fc.tuple(
    fc.constantFrom("ce-specversion", "ce-id", "ce-source", "ce-type", "ce-x"),
    fc.constantFrom("1.0", "", "\xff", "a", "%00"),
  ),
  fc.constantFrom<[string, string]>(
    ["upgrade", "websocket"],
    ["te", "trailers"],
    ["range", "bytes=0-1"],
    ["expect", "banana"],
    ["expect", "100-continue"],
    ["content-encoding", "lzma"],
    ["content-encoding", "gzip, gzip, gzip"],
  ),
);

const valid: Record<string, unknown> = {
  "/fn/register": syncBody(),
  "/e/": {
    name: "shop/order",
    data: { a: 1, b: [1, { c: null }] },
    id: "1",
    ts: 1_700_000_000_000,
    user: {},
    v: "1",
  },
  "/v1/apps": { url: "http://127.0.0.1:1/api/svc" },
  "/invoke": { data: { a: 1 } },
  "/async": {
    run_id: "r",
    fn_id: "f",
    qi_id: "a.b",
    request_id: "q",
    generation_id: 1,
    steps: [
      {
        id: "a".repeat(40),
        op: "StepRun",
        name: "s",
        displayName: "s",
        userland: { id: "s" },
        opts: {},
        data: { x: 1 },
        timing: { a: 1, b: 2 },
      },
    ],
  },
};
const bodyFor = (path: string): fc.Arbitrary<Buffer> => {
  const body = Object.entries(valid).find(([part]) => path.includes(part))?.[1] ?? { any: [1] };
  return fc.oneof(
    { weight: 6, arbitrary: mutated(body).map((value) => Buffer.from(jsonText(value))) },
    { weight: 1, arbitrary: absurd.map((value) => Buffer.from(jsonText(value))) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom("", "{", "[".repeat(100_000), "null", "\n".repeat(50_000))
        .map((text) => Buffer.from(text)),
    },
  );
};
const encoders = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync };

/** A random request to one of the routes, given as method and path with `{parameters}`. */
export function hostileRequest(
  routes: readonly { method: string; path: string }[],
): fc.Arbitrary<RawRequest> {
  return fc.constantFrom(...routes).chain((route) =>
    fc
      .record({
        method: fc.oneof(
          { weight: 6, arbitrary: fc.constant(route.method) },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              "GET",
              "HEAD",
              "POST",
              "PUT",
              "PATCH",
              "DELETE",
              "OPTIONS",
              "TRACE",
              "PROPFIND",
              "QUERY",
            ),
          },
        ),
        segments: fc.array(oddSegment, { minLength: 4, maxLength: 4 }),
        mangle: fc.oneof(
          { weight: 8, arbitrary: fc.constant("") },
          { weight: 1, arbitrary: fc.constantFrom("/", "//", "/..", "/%2e%2e/health", "%00", ";x", "/x") },
        ),
        absolute: fc.nat({ max: 20 }),
        query,
        headers: fc.array(header, { maxLength: 3 }),
        body: bodyFor(route.path),
        encoding: fc.option(fc.constantFrom<keyof typeof encoders>("gzip", "br", "zstd"), { freq: 6 }),
      })
      .map(({ method, segments, mangle, absolute, query, headers, body, encoding }) => {
        let n = 0;
        const path = route.path.replace(/\{\w+\}/g, () => segments[n++]!) + mangle;
        const all = Object.fromEntries(headers);
        if (encoding !== null) all["content-encoding"] ??= encoding;
        const sent =
          encoding === null || all["content-encoding"] !== encoding
            ? body
            : Buffer.from(encoders[encoding](body));
        const bare = method === "GET" || method === "HEAD" || method === "OPTIONS" || method === "TRACE";
        return {
          method,
          target: (absolute === 0 ? "http://localhost" : "") + path + query,
          headers: all,
          body: bare ? Buffer.alloc(0) : sent,
        };
      }),
  );
}
