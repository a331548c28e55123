/** Serves the dashboard: its page at `/` and every address below it that is no route, its hashed files under `/assets`. */
import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { extname, join } from "node:path";

export interface DashboardParts {
  /** Where `npm run build` of the dashboard leaves its files. */
  dir: string;
  /** Path under which a proxy shows the service, with a slash at both ends. */
  basePath: string;
  mode: "dev" | "start";
  version: string;
  /** JSON of an event that makes a connected app do something: what the empty dashboard suggests to send. */
  exampleEvent?: string | undefined;
}

/** @returns whether the request was answered; `path` is without base path and query */
export type Dashboard = (req: IncomingMessage, res: ServerResponse, path: string) => boolean;

interface Asset {
  type: string;
  /** Bytes by content coding; `identity` is always there. */
  bodies: Partial<Record<Coding, Buffer>> & { identity: Buffer };
}

interface Build {
  /** When index.html was written, ms: a new build has another one. */
  builtAt: number;
  page: Buffer;
  tag: string;
  assets: ReadonlyMap<string, Asset>;
}

const CODINGS = ["br", "gzip", "identity"] as const;
type Coding = (typeof CODINGS)[number];
const ENDINGS: Record<Coding, string> = { br: ".br", gzip: ".gz", identity: "" };

const TYPES: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** First segments that belong to programs: below them an unknown address is an error, never a page. */
const NOT_PAGES = new Set(["v1", "v0", "e", "fn", "dev", "x", "health", "ready", "metrics", "assets", "api"]);

/**
 * Make the handler of what no route matches. Files are read at the first request, and again after a new build.
 * @example if (dashboard(req, res, "/events")) return;
 */
export function createDashboard(parts: DashboardParts): Dashboard {
  // Radix writes <style> elements while a dialog is open; the nonce lets these in and no others. It is the same for
  // the life of the process, so that the page can be cached by its tag.
  const nonce = randomBytes(16).toString("base64");
  let build: Build | null = null;

  return (req, res, path) => {
    if (req.method !== "GET" && req.method !== "HEAD") return false;
    if (path.startsWith("/assets/")) {
      build = current(parts, nonce, build);
      const asset = build?.assets.get(path.slice("/assets/".length));
      if (asset === undefined) return false;
      sendAsset(req, res, asset);
      return true;
    }
    if (!wantsPage(req, path)) return false;
    build = current(parts, nonce, build);
    const headers = { ...pageHeaders(nonce), "content-type": "text/html; charset=utf-8" };
    if (build === null) {
      send(req, res, 503, { ...headers, "retry-after": "10" }, Buffer.from(NOT_BUILT));
    } else if (sameTag(req.headers["if-none-match"], build.tag)) {
      res.writeHead(304, { ...pageHeaders(nonce), etag: build.tag }).end();
    } else {
      send(req, res, 200, { ...headers, etag: build.tag }, build.page);
    }
    return true;
  };
}

/**
 * The configured base path without its last slash taken off a request's address; addresses without it stay.
 * @example withoutBasePath("/svc/v1/events?limit=1", "/svc/") // "/v1/events?limit=1"
 */
export function withoutBasePath(url: string, basePath: string): string {
  const prefix = basePath.slice(0, -1);
  if (prefix === "" || !url.startsWith(prefix)) return url;
  const rest = url.slice(prefix.length);
  if (rest === "") return "/";
  if (rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : url;
}

function wantsPage(req: IncomingMessage, path: string): boolean {
  if (NOT_PAGES.has(path.split("/", 2)[1] ?? "")) return false;
  return (req.headers.accept ?? "").includes("text/html");
}

/** The build on disk: the one known if it is still that one, null when there is none. */
function current(parts: DashboardParts, nonce: string, known: Build | null) {
  const { dir, basePath, mode, version, exampleEvent } = parts;
  const index = join(dir, "index.html");
  const builtAt = statSync(index, { throwIfNoEntry: false })?.mtimeMs;
  if (builtAt === undefined) return null;
  if (known?.builtAt === builtAt) return known;
  const head = [
    `<base href="${escapeAttribute(basePath)}">`,
    `<meta name="svc-mode" content="${mode}">`,
    `<meta name="svc-version" content="${escapeAttribute(version)}">`,
    `<meta name="svc-nonce" content="${nonce}">`,
    exampleEvent && `<meta name="svc-example-event" content="${escapeAttribute(exampleEvent)}">`,
  ]
    .filter(Boolean)
    .join("");
  const page = Buffer.from(readFileSync(index, "utf8").replace("<head>", `<head>${head}`));
  const tag = `"${createHash("sha256").update(page).digest("base64url").slice(0, 22)}"`;
  return { builtAt, page, tag, assets: readAssets(join(dir, "assets")) };
}

function readAssets(dir: string): Map<string, Asset> {
  const names = new Set(readdirSync(dir));
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const bodies: Asset["bodies"] = { identity: readFileSync(join(dir, name)) };
    for (const coding of ["br", "gzip"] as const) {
      const packed = name + ENDINGS[coding];
      if (names.has(packed)) bodies[coding] = readFileSync(join(dir, packed));
    }
    assets.set(name, { type, bodies });
  }
  return assets;
}

function sendAsset(req: IncomingMessage, res: ServerResponse, { type, bodies }: Asset): void {
  const accepted = req.headers["accept-encoding"] ?? "";
  const taken = String(accepted)
    .split(",")
    .filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry))
    .map((entry) => entry.split(";")[0]!.trim());
  const coding = CODINGS.find(
    (name) => name === "identity" || (bodies[name] !== undefined && taken.includes(name)),
  )!;
  const headers: OutgoingHttpHeaders = {
    "content-type": type,
    // The name has the hash of the content in it: what is there under it never changes.
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
    ...(coding !== "identity" && { "content-encoding": coding }),
  };
  send(req, res, 200, headers, bodies[coding]!);
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  body: Buffer,
): void {
  res.writeHead(status, { ...headers, "content-length": body.length });
  res.end(req.method === "HEAD" ? undefined : body);
}

function sameTag(header: string | undefined, tag: string): boolean {
  return header?.split(",").some((entry) => entry.trim().replace(/^W\//, "") === tag) ?? false;
}

/** Headers of the page. Events may be sent on to a dev server on the reader's own machine, and nowhere else. */
function pageHeaders(nonce: string): OutgoingHttpHeaders {
  return {
    "cache-control": "no-cache",
    vary: "accept",
    "content-security-policy": [
      "default-src 'self'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "connect-src 'self' http://localhost:* http://127.0.0.1:*",
      "object-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "base-uri 'self'",
    ].join("; "),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
  };
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>svc</title>
<h1>The dashboard is not built</h1>
<p>The service runs, and so does its API at <a href="v1">/v1</a>; only the files of the dashboard are missing.</p>
<p>Build them in the directory of svc, then load this page again:</p>
<pre>npm run build</pre>
</html>
`;
