/** Who is not known is led to the login, and back to where they wanted to go. */
import type { QueryClient } from "@tanstack/react-query";
import { redirect } from "@tanstack/react-router";
import { meQuery } from "../api/me.ts";
import { ApiError, keepApiToken } from "../api/request.ts";
import { mode } from "../place.ts";
import { wayBack } from "./way-back.ts";

/** The pages for those who are not in yet. */
const ENTRIES = ["/login", "/setup", "/invitation", "/password-reset"];

interface Place {
  pathname: string;
  searchStr: string;
}

/** What a route does before a page is shown that is not for everybody. @throws redirect to the login */
export async function requireLogin(queryClient: QueryClient, place: Place): Promise<void> {
  if (mode === "dev") return;
  try {
    await queryClient.ensureQueryData(meQuery());
  } catch (error) {
    if (!isUnknown(error)) throw error;
    throw redirect({ to: "/login", search: { to: wayTo(place) }, replace: true });
  }
}

/** What the pages for those outside do before they are shown: in `svc dev` nobody is outside. */
export function onlyWithLogin(): void {
  if (mode === "dev") throw redirect({ to: "/events", replace: true });
}

/** What the login does before it is shown: who is in already goes on. @throws redirect to where they wanted to go */
export async function onlyWithoutLogin(queryClient: QueryClient, to: string | undefined): Promise<void> {
  onlyWithLogin();
  const me = meQuery();
  // Whoever was just led here is known to be outside.
  if (isUnknown(queryClient.getQueryState(me.queryKey)?.error)) return;
  try {
    await queryClient.ensureQueryData(me);
  } catch {
    // Outside, or the service does not answer: both are told by the form.
    return;
  }
  const back = wayBack(to);
  throw redirect({ to: back.to, search: back.search as never, replace: true });
}

/** Whether an answer says that nobody is logged in, or not any more. */
export function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** What to do when a session turns out to have ended: null on pages where that is no news. */
export function wayToLogin(
  queryClient: QueryClient,
  place: Place,
): { to: string; search: { to: string } } | null {
  if (mode === "dev" || ENTRIES.includes(place.pathname)) return null;
  keepApiToken(null);
  queryClient.clear();
  return { to: "/login", search: { to: wayTo(place) } };
}

function wayTo({ pathname, searchStr }: Place): string {
  return pathname + searchStr;
}
