/** Keeps other people's pages from reaching a developer's service under a name of their own (DNS rebinding). */
import { isIP } from "node:net";

/**
 * Whether a `host` header names this machine: localhost, an address, the name that containers have for
 * their host, or the host the service was told to listen on. A page that rebinds DNS always comes with its own domain
 * name, so plain addresses are safe.
 * @example isLocalHost("localhost:8288", "127.0.0.1") // true
 */
export function isLocalHost(header: string | undefined, configured: string): boolean {
  if (header === undefined) return false;
  const name = hostName(header);
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    isIP(name) !== 0 ||
    name === "host.docker.internal" ||
    name === configured.toLowerCase()
  );
}

/** A host header without its port, brackets and final dot. */
function hostName(header: string): string {
  const text = header.trim().toLowerCase();
  const bracketed = /^\[([0-9a-f:.]+)\](?::\d+)?$/.exec(text);
  if (bracketed) return bracketed[1]!;
  return text.replace(/:\d*$/, "").replace(/\.$/, "");
}
