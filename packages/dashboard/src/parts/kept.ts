/** Work that is not saved yet, kept in this tab: a session may end, or a page be loaded anew, before it is. */
import { useCallback, useState } from "react";
import { useMe } from "../api/me.ts";
import { mode } from "../place.ts";

const PREFIX = "svc-kept:";

/**
 * State that outlives the component, for the person who looks: whoever logs in next in this tab does not see it.
 * @param name says what it is, and of what: `transform 01KQ…`
 * @returns what was kept, null if nothing; and what keeps something, or with null forgets it
 */
export function useKept<T>(name: string): [T | null, (value: T | null) => void] {
  const me = useMe();
  const key = `${PREFIX}${name} ${mode === "dev" ? "" : (me?.user?.id ?? me?.name)}`;
  const [value, setValue] = useState(() => read<T>(key));
  const keep = useCallback(
    (next: T | null) => {
      write(key, next);
      setValue(next);
    },
    [key],
  );
  return [value, keep];
}

/** Forget everything that was kept: whoever logs out leaves nothing behind. */
export function forgetKept(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
}

function read<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

function write(key: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The browser has no room for it: it is on the page still.
  }
}
