/**
 * The secret that a link for one use ends with, after its `#`. It is taken out of the address bar at once: neither the
 * history nor a glance at the screen should keep it.
 */
import { useSyncExternalStore } from "react";

let token = "";
const listeners = new Set<() => void>();

/** Take the token out of the address, if it is that of such a link. */
export function takeLinkToken(): void {
  const { pathname, search, hash } = window.location;
  if (hash.length < 2 || !/\/(setup|invitation|password-reset)$/.test(pathname)) return;
  token = decodeHash(hash.slice(1));
  window.history.replaceState(window.history.state, "", pathname + search);
  for (const listener of listeners) listener();
}

/** The token of the link that was opened; empty when the page was come to without one. */
export function useLinkToken(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      // Another link pasted into the same tab changes nothing but the part after the `#`.
      window.addEventListener("hashchange", takeLinkToken);
      return () => {
        listeners.delete(listener);
        window.removeEventListener("hashchange", takeLinkToken);
      };
    },
    () => token,
  );
}

function decodeHash(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
