/** `/v1/users`: the people of the service, their roles and sessions. */
import * as z from "zod";
import { type Actor, mayActOnOwners, ROLE_PERMISSIONS, type Role } from "../access/actor.ts";
import { digest, freshSecret } from "../access/keys/secrets.ts";
import { baseUrl, requestOrigin } from "../access/request-origin.ts";
import { ServiceError } from "../errors.ts";
import { type Route, route } from "../http/route.ts";
import type { UserRecord } from "../store/access-records.ts";
import { isoTime, one, pageOf, toIso } from "./answers.ts";
import { pageById } from "./functions.ts";
import type { LoginParts } from "./login.ts";
import { idCursor, limitParameter } from "./parameters.ts";
import { describeUser, MAX_PERSON_BYTES, nameSchema, roleSchema, userSchema } from "./person.ts";
import { describeSession, endSession, sessionListSchema } from "./session-list.ts";

const RESET_LINK_MS = 24 * 3_600_000;

const RULE = { access: "api", permission: "administer", account: true } as const;

export function userRoutes(parts: LoginParts): Route[] {
  const { store, access, config, clock, nextId } = parts;

  const find = (id: string | undefined): UserRecord => {
    const user = access.people.byId(id ?? "");
    if (user === undefined) throw new ServiceError("not_found", "There is no such person.");
    return user;
  };
  /** The user, when the actor may change what owners are. */
  const findToChange = (id: string | undefined, actor: Actor): UserRecord => {
    const user = find(id);
    requireOwnerFor(user.role, actor);
    return user;
  };

  return [
    route({
      method: "GET",
      path: "/v1/users",
      ...RULE,
      summary: "List people, by id",
      query: z.object({ limit: limitParameter, cursor: idCursor }),
      response: pageOf(userSchema),
      handle({ query }) {
        return { body: pageById(access.people.all().map(describeUser), query.cursor, query.limit) };
      },
    }),
    route({
      method: "PATCH",
      path: "/v1/users/:id",
      ...RULE,
      summary: "Change a person's name or role",
      description:
        "Holds at once, also for sessions. Only owners make and change owners; the last owner stays one.",
      body: z.strictObject({ name: nameSchema.optional(), role: roleSchema.optional() }),
      maxBodyBytes: MAX_PERSON_BYTES,
      response: one(userSchema),
      async handle({ params, body, actor, remoteAddress }) {
        const user = findToChange(params.id, actor);
        const { id, role } = user;
        if (body.role !== undefined && body.role !== role) requireRightsOf(body.role, actor);
        const outcome = await store.execute("updateUser", {
          author: access.author(actor, remoteAddress),
          id,
          knownRole: role,
          name: body.name ?? user.name,
          role: body.role ?? role,
        });
        if (outcome !== "updated") throw refusal(outcome);
        await access.reload();
        return { body: { data: describeUser(find(id)) } };
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/users/:id",
      ...RULE,
      summary: "Remove a person",
      description:
        "Ends all sessions at once, and the invitations the person made. Keys and API tokens stay: revoke those the person knew.",
      async handle({ params, actor, remoteAddress }) {
        const { id, role } = findToChange(params.id, actor);
        const author = access.author(actor, remoteAddress);
        const outcome = await store.execute("removeUser", { author, id, knownRole: role });
        if (outcome !== "removed") throw refusal(outcome);
        await access.reload();
        return {};
      },
    }),
    route({
      method: "GET",
      path: "/v1/users/:id/sessions",
      ...RULE,
      summary: "List a person's sessions, the one used last first",
      response: sessionListSchema,
      handle({ params, actor }) {
        const sessions = access.people.sessionsOf(find(params.id).id);
        return { body: { data: sessions.map((each) => describeSession(each, actor)) } };
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/users/:id/sessions",
      ...RULE,
      summary: "End all sessions of a person",
      async handle({ params, actor, remoteAddress }) {
        const { id } = findToChange(params.id, actor);
        const author = access.author(actor, remoteAddress);
        await store.execute("endSessions", { author, userId: id, sessionId: null });
        await access.reload();
        return {};
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/users/:id/sessions/:session",
      ...RULE,
      summary: "End a session of a person",
      async handle({ params, actor, remoteAddress }) {
        const { id } = findToChange(params.id, actor);
        await endSession(parts, access.author(actor, remoteAddress), id, params.session ?? "");
        return {};
      },
    }),
    route({
      method: "POST",
      path: "/v1/users/:id/password-reset",
      ...RULE,
      summary: "Make a link by which a person sets a new password",
      description: "It is good for 24 hours and for one use, and is shown once. It ends the one made before.",
      response: one(z.object({ url: z.string(), expires_at: isoTime })),
      async handle({ params, actor, headers, remoteAddress }) {
        const user = findToChange(params.id, actor);
        // Whoever has the link can be that person.
        requireRightsOf(user.role, actor);
        const base = baseUrl(requestOrigin(headers, config.trustProxy), config.basePath);
        const token = freshSecret("reset");
        const now = clock.now();
        const expiresAt = now + RESET_LINK_MS;
        const outcome = await store.execute("createInvitation", {
          author: access.author(actor, remoteAddress),
          invitation: {
            id: nextId(now),
            token_hash: digest(token),
            email: user.email,
            role: user.role,
            expires_at: expiresAt,
            user_id: user.id,
          },
        });
        if (outcome !== "created") throw refusal(outcome === "changed" ? "changed" : "gone");
        return {
          headers: { "cache-control": "no-store" },
          body: { data: { url: `${base}/password-reset#${token}`, expires_at: toIso(expiresAt) } },
        };
      },
    }),
  ];
}

/** @throws ServiceError `forbidden` when this is about an owner, and the actor is none */
export function requireOwnerFor(role: Role, actor: Actor): void {
  if (role === "owner" && !mayActOnOwners(actor)) {
    throw new ServiceError("forbidden", "Only owners make, change and remove owners.");
  }
}

/**
 * Nobody makes another one who may do what they may not: a token may have the right to administer and none to read.
 * @throws ServiceError `forbidden`
 */
export function requireRightsOf(role: Role, actor: Actor): void {
  requireOwnerFor(role, actor);
  const missing = [...ROLE_PERMISSIONS[role]].filter((permission) => !actor.permissions.has(permission));
  if (missing.length === 0) return;
  throw new ServiceError(
    "forbidden",
    `The role ${role} has the right to ${missing.join(" and to ")}, and can only be given by those who have it.`,
    { field: "role" },
  );
}

function refusal(outcome: "gone" | "changed" | "last_owner"): ServiceError {
  switch (outcome) {
    case "gone":
      return new ServiceError("not_found", "There is no such person.");
    case "changed":
      return new ServiceError("conflict", "Somebody has just changed this person's role: look again.");
    case "last_owner":
      return new ServiceError("conflict", "The last owner stays: make somebody else an owner first.");
  }
}
