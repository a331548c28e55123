/** People of the service, their sessions, and the links by which new ones come in. */
import { queryOptions } from "@tanstack/react-query";
import type { Role, User } from "./me.ts";
import { pagedQuery } from "./paged.ts";
import { request } from "./request.ts";
import type { Session } from "./sessions.ts";
import type { One } from "./types.ts";

export interface Invitation {
  id: string;
  /** Null: whoever has the link. */
  email: string | null;
  role: Role;
  created_at: string;
  created_by: string | null;
  expires_at: string;
}

/** A link that is shown once. */
export interface MadeLink {
  url: string;
  expires_at: string;
}

export function peopleQuery() {
  return pagedQuery<User>("people", "v1/users", {}, { account: true });
}

/** Change a name or a role; holds at once. */
export async function updatePerson(id: string, change: { name?: string; role?: Role }): Promise<User> {
  return (await request<One<User>>(`v1/users/${id}`, { method: "PATCH", body: change })).data;
}

/** Ends all their sessions, and the invitations they made. */
export async function removePerson(id: string): Promise<void> {
  await request(`v1/users/${id}`, { method: "DELETE" });
}

export function sessionsOfQuery(id: string) {
  return queryOptions({
    queryKey: ["people", "sessions", id],
    queryFn: async ({ signal }) =>
      (await request<One<Session[]>>(`v1/users/${id}/sessions`, { signal })).data,
  });
}

/** End one session of a person, or all of them. */
export async function endSessionsOf(id: string, session?: string): Promise<void> {
  await request(`v1/users/${id}/sessions${session === undefined ? "" : `/${session}`}`, { method: "DELETE" });
}

/** Make a link by which a person sets a new password; good for 24 hours and one use. */
export async function makeResetLink(id: string): Promise<MadeLink> {
  return (await request<One<MadeLink>>(`v1/users/${id}/password-reset`, { method: "POST" })).data;
}

/** Invitations that wait for somebody, newest first; there are 500 at most. */
export function invitationsQuery() {
  return queryOptions({
    queryKey: ["invitations"],
    queryFn: async ({ signal }) => (await request<One<Invitation[]>>("v1/invitations", { signal })).data,
  });
}

/** @param expires_in such as `7d` */
export async function invite(body: {
  role: Role;
  email?: string;
  expires_in: string;
}): Promise<Invitation & MadeLink> {
  return (await request<One<Invitation & MadeLink>>("v1/invitations", { method: "POST", body })).data;
}

export async function revokeInvitation(id: string): Promise<void> {
  await request(`v1/invitations/${id}`, { method: "DELETE" });
}
