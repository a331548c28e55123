/** Letting people in and out: logging in, links, sessions. */
import { queryOptions } from "@tanstack/react-query";
import type { Me } from "./me.ts";
import { keepApiToken, request } from "./request.ts";
import type { One } from "./types.ts";

export interface Session {
  id: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  address: string | null;
  user_agent: string | null;
  /** Whether it is the one of this browser. */
  current: boolean;
}

/** Log in; the session is a cookie. @throws ApiError `unauthorized` */
export async function logIn(credentials: { email: string; password: string }): Promise<Me> {
  // A token kept from before would win over the session.
  keepApiToken(null);
  return (await request<One<Me>>("v1/session", { method: "POST", body: credentials })).data;
}

/** Use an API token instead of a session, until the tab is closed. @throws ApiError `unauthorized` */
export async function logInWithToken(token: string): Promise<Me> {
  keepApiToken(token);
  try {
    return (await request<One<Me>>("v1/me")).data;
  } catch (error) {
    keepApiToken(null);
    throw error;
  }
}

/** End the session, or forget the token. */
export async function logOut(me: Me): Promise<void> {
  if (me.kind === "user") await request("v1/session", { method: "DELETE" });
  keepApiToken(null);
}

/** Whether the service waits for its first owner. */
export function setupQuery() {
  return queryOptions({
    queryKey: ["setup"],
    queryFn: async ({ signal }) => (await request<One<{ needed: boolean }>>("v1/setup", { signal })).data,
  });
}

export interface NewAccount {
  /** What the link ends with. */
  token: string;
  name: string;
  email?: string;
  password: string;
}

/** Make the first account, and log in. */
export async function setUp(account: NewAccount): Promise<Me> {
  keepApiToken(null);
  return (await request<One<Me>>("v1/setup", { method: "POST", body: account })).data;
}

/** Make an account by an invitation, and log in. */
export async function acceptInvitation(account: NewAccount): Promise<Me> {
  keepApiToken(null);
  return (await request<One<Me>>("v1/invitations/accept", { method: "POST", body: account })).data;
}

/** Set a new password by a link. */
export async function resetPassword(reset: { token: string; password: string }): Promise<void> {
  await request("v1/password-reset", { method: "POST", body: reset });
}

/** One's own sessions, the one used last first. */
export function ownSessionsQuery() {
  return queryOptions({
    queryKey: ["me", "sessions"],
    queryFn: async ({ signal }) => (await request<One<Session[]>>("v1/me/sessions", { signal })).data,
  });
}

export async function endOwnSession(id: string): Promise<void> {
  await request(`v1/me/sessions/${id}`, { method: "DELETE" });
}
