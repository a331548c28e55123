/** What every route that lets somebody in does: a new session, its cookie, and who that is. */
import type * as z from "zod";
import { type Actor, PERMISSIONS, ROLE_PERMISSIONS } from "../access/actor.ts";
import { digest, freshSecret } from "../access/keys/secrets.ts";
import { SESSION_MAX_MS } from "../access/people/people.ts";
import { sessionCookie } from "../access/people/session-cookie.ts";
import { requestOrigin } from "../access/request-origin.ts";
import { ServiceError } from "../errors.ts";
import type { RouteAnswer, RouteRequest } from "../http/route.ts";
import type { UserRecord } from "../store/access-records.ts";
import type { NewSession } from "../store/commands/create-session.ts";
import type { Author } from "../store/commands/record-change.ts";
import type { ApiParts, Login } from "./parts.ts";
import { describeUser, type meSchema } from "./person.ts";

export type LoginParts = Pick<ApiParts, "config" | "store" | "access" | "clock" | "nextId"> & {
  login: Login;
};

/** Longest part of a `user-agent` header that is kept. */
const MAX_AGENT_LENGTH = 300;

type AnyRequest = Pick<RouteRequest, "headers" | "remoteAddress">;

/** A session to be stored, and the token that only the browser will have. */
export function newSession(
  { clock, nextId }: LoginParts,
  { headers, remoteAddress }: AnyRequest,
  userId: string,
): { token: string; session: NewSession } {
  const now = clock.now();
  const token = freshSecret("session");
  const session: NewSession = {
    id: nextId(now),
    user_id: userId,
    token_hash: digest(token),
    created_at: now,
    expires_at: now + SESSION_MAX_MS,
    address: remoteAddress,
    user_agent: headers["user-agent"]?.slice(0, MAX_AGENT_LENGTH) ?? null,
  };
  return { token, session };
}

/** How somebody who is only now let in stands in the audit log. */
export function authorOf({ access }: LoginParts, request: AnyRequest, id: string, name: string): Author {
  const actor: Actor = {
    kind: "user",
    id,
    name,
    role: null,
    permissions: new Set(),
    env: null,
    sessionId: null,
  };
  return access.author(actor, request.remoteAddress);
}

/** The answer that lets somebody in who is only now there. Holds at once: what was stored is read first. */
export async function joined(
  parts: LoginParts,
  request: Pick<AnyRequest, "headers">,
  userId: string,
  token: string,
): Promise<RouteAnswer> {
  await parts.access.reload();
  return letIn(parts, request, userId, token);
}

/** The answer that lets somebody in whose session is in force. */
export function letIn(
  { access, config }: LoginParts,
  { headers }: Pick<AnyRequest, "headers">,
  userId: string,
  token: string,
): RouteAnswer {
  const user = access.people.byId(userId);
  if (user === undefined) throw new ServiceError("unauthorized", "The account has just been removed.");
  const { secure } = requestOrigin(headers, config.trustProxy);
  return {
    headers: { "set-cookie": sessionCookie(token, secure), "cache-control": "no-store" },
    body: { data: describeMe(user) },
  };
}

/** Who a person is and may do. */
export function describeMe(user: UserRecord): z.output<typeof meSchema> {
  const permissions = PERMISSIONS.filter((each) => ROLE_PERMISSIONS[user.role].has(each));
  return { kind: "user", name: user.name, user: describeUser(user), permissions, environment: null };
}
