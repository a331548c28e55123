/** Whose request it is: the client's address, also behind a proxy. */
import type { IncomingMessage } from "node:http";
import { plainIp } from "../access/gate/ip-address.ts";

/**
 * The address of the client, without port, brackets and zone; IPv4 in IPv6 form as IPv4.
 *
 * Behind a trusted proxy it is the last entry of `x-forwarded-for`, or of `forwarded` (RFC 7239) when there is no
 * `x-forwarded-for`: that one our own proxy wrote, those before it are the client's to invent. When that entry is
 * no address (`unknown`), the client's address is "", not the proxy's: the proxy may be on a list that lets it in.
 * @param trustProxy whether a proxy stands before the service that sets these headers
 * @example clientAddress(req, true) // "203.0.113.7", of `x-forwarded-for: 10.0.0.1, 203.0.113.7:5678`
 */
export function clientAddress(
  req: Pick<IncomingMessage, "headers"> & { socket: Pick<IncomingMessage["socket"], "remoteAddress"> },
  trustProxy: boolean,
): string {
  const told = trustProxy ? (forwardedFor(req) ?? forwardedBy(req)) : undefined;
  if (told !== undefined) return plainIp(withoutPort(told)) ?? "";
  const address = req.socket.remoteAddress ?? "";
  return plainIp(address) ?? address;
}

function forwardedFor(req: Pick<IncomingMessage, "headers">): string | undefined {
  const header = req.headers["x-forwarded-for"];
  // Several of them are one, joined by node.
  const last = header === undefined ? "" : lastEntry(String(header));
  return last === "" ? undefined : last;
}

/** The `for` of the last element of `forwarded`. */
function forwardedBy(req: Pick<IncomingMessage, "headers">): string | undefined {
  const header = req.headers.forwarded;
  const last = header === undefined ? "" : lastEntry(header);
  if (last === "") return undefined;
  // Half a quoted string was cut off, or there are escapes: a client's text within the proxy's own entry, perhaps.
  if (last.includes("\\") || last.split('"').length % 2 === 0) return "unknown";
  const [, quoted, plain] = /(?:^|;)[ \t]*for=(?:"([^"]*)"|([^;"\s]*))/i.exec(last) ?? [];
  return quoted ?? plain ?? "unknown";
}

function lastEntry(list: string): string {
  return list.slice(list.lastIndexOf(",") + 1).trim();
}

/** `1.2.3.4:5678` -> `1.2.3.4`, `[::1]:80` -> `::1`. A bare IPv6 address has no port. */
function withoutPort(text: string): string {
  const [, address] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? /^([^:]*):\d{1,5}$/.exec(text) ?? [];
  return address ?? text;
}
