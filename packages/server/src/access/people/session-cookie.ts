/** The cookie that carries the token of a session. */
import { SESSION_MAX_MS } from "./people.ts";

/**
 * Under TLS the name begins with `__Host-`: browsers then take it from this host alone, over TLS alone, so that no other
 * host of the domain and no one on the wire can put a session of their own in its place.
 */
const SECURE_NAME = "__Host-svc-session";
const PLAIN_NAME = "svc-session";

/** Longest `cookie` header that is looked at. */
const MAX_HEADER_LENGTH = 16_384;

/** The token in a request's `cookie` header, if any. @param secure whether the request came by TLS */
export function readSessionCookie(header: string | undefined, secure: boolean): string | undefined {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined;
  const start = `${secure ? SECURE_NAME : PLAIN_NAME}=`;
  for (const part of header.split(";")) {
    const cookie = part.trimStart();
    if (cookie.startsWith(start)) return cookie.slice(start.length).trimEnd();
  }
  return undefined;
}

/** The `set-cookie` header that gives a browser a session. */
export function sessionCookie(token: string, secure: boolean): string {
  return cookie(token, Math.floor(SESSION_MAX_MS / 1000), secure);
}

/** The `set-cookie` header that takes it away. */
export function endedSessionCookie(secure: boolean): string {
  return cookie("", 0, secure);
}

function cookie(value: string, maxAge: number, secure: boolean): string {
  const name = secure ? SECURE_NAME : PLAIN_NAME;
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}
