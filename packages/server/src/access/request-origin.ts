/** Under which address a request came, and whether a page of another site made it. */
import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../errors.ts";

/** The address that the client used. */
export interface RequestOrigin {
  /** It came by TLS. The service has none of its own: only a trusted proxy can say so. */
  secure: boolean;
  /** Host and port, lower case; null when there is none that could be one. */
  host: string | null;
}

const HOST_FORM = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/** @param trustProxy whether `x-forwarded-*` is our own proxy's word */
export function requestOrigin(headers: IncomingHttpHeaders, trustProxy: boolean): RequestOrigin {
  const forwarded = (name: string) => (trustProxy ? lastEntry(headers[name]) : undefined);
  const host = (forwarded("x-forwarded-host") ?? headers.host ?? "").toLowerCase();
  return {
    secure: forwarded("x-forwarded-proto")?.toLowerCase() === "https",
    host: HOST_FORM.test(host) ? host : null,
  };
}

/**
 * The address to begin links with.
 * @param basePath where a proxy shows the service, with a slash at both ends
 * @throws ServiceError `invalid_request` when the request names no host
 * @example baseUrl({ secure: true, host: "example.com" }, "/svc/") // "https://example.com/svc"
 */
export function baseUrl({ secure, host }: RequestOrigin, basePath: string): string {
  if (host === null) throw new ServiceError("invalid_request", "The `host` header is missing or not valid.");
  return `${secure ? "https" : "http"}://${host}${basePath.slice(0, -1)}`;
}

/**
 * Refuse what a page of another site had a browser send: browsers add cookies to such requests, too. Reading is left
 * alone, because other sites cannot see the answers.
 * @throws ServiceError `forbidden`; `invalid_request` when a body is not JSON by its content type
 */
export function requireSameOrigin(
  method: string | undefined,
  headers: IncomingHttpHeaders,
  { host }: RequestOrigin,
): void {
  if (method === "GET" || method === "HEAD") return;
  if (!isSameOrigin(headers, host)) {
    throw new ServiceError(
      "forbidden",
      "This request does not come from a page of this service. Programs use an API token, or name the service in `origin`.",
    );
  }
  const type = headers["content-type"];
  // A form of another site can have any content type but this one.
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) throw notJson();
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (hasBody && type === undefined) throw notJson();
}

function notJson(): ServiceError {
  return new ServiceError("invalid_request", "The content type must be application/json.", {
    field: "content-type",
  });
}

/** Browsers say where a request comes from; over plain HTTP only in `origin`. */
function isSameOrigin(headers: IncomingHttpHeaders, host: string | null): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";
  const { origin } = headers;
  // `null` and whatever else is no URL has no host.
  const url = origin === undefined ? null : URL.parse(origin);
  return (
    host !== null &&
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.host === withoutDefaultPort(host, url)
  );
}

/** URLs leave out the port that their scheme has anyway; host headers need not. */
function withoutDefaultPort(host: string, { protocol }: URL): string {
  return host.replace(protocol === "https:" ? /:443$/ : /:80$/, "");
}

/** Of several proxies the last one is ours; what stands before its entry is the client's to invent. */
function lastEntry(header: string | string[] | undefined): string | undefined {
  const last = header === undefined ? "" : String(header).split(",").at(-1)!.trim();
  return last === "" ? undefined : last;
}
