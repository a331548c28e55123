/**
 * Where the login leads: only ever to a place within the dashboard, whatever a link says.
 * @example wayBack("/events?q=42") // { to: "/events", search: { q: "42" } }
 */
export function wayBack(to: string | undefined): { to: string; search: Record<string, string> } {
  const inside = "http://dashboard.invalid";
  const url = to?.startsWith("/") ? URL.parse(to, inside) : null;
  if (url === null || url.origin !== inside || url.pathname === "/") return { to: "/events", search: {} };
  // A name and no host, once more: what the router makes of the path must not become an address.
  if (url.pathname.startsWith("//")) return { to: "/events", search: {} };
  return { to: url.pathname, search: Object.fromEntries(url.searchParams) };
}
