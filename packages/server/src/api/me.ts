/** `/v1/me`: who makes the request, and what they may change about themselves. */
import * as z from "zod";
import { PERMISSIONS } from "../access/actor.ts";
import { ServiceError } from "../errors.ts";
import { type Route, type RouteRequest, route } from "../http/route.ts";
import type { UserRecord } from "../store/access-records.ts";
import { one } from "./answers.ts";
import { describeMe, type LoginParts } from "./login.ts";
import type { ApiParts } from "./parts.ts";
import {
  MAX_PERSON_BYTES,
  meSchema,
  nameSchema,
  newPasswordSchema,
  passwordSchema,
  requireGoodPassword,
} from "./person.ts";
import { describeSession, endSession, sessionListSchema } from "./session-list.ts";

export function meRoutes(parts: ApiParts): Route[] {
  const { access, login } = parts;
  const get = route({
    method: "GET",
    path: "/v1/me",
    access: "api",
    permission: "any",
    summary: "Get who you are and what you may do",
    response: one(meSchema),
    handle({ actor }) {
      const user = actor.kind === "user" ? access.people.byId(actor.id!) : undefined;
      if (user !== undefined) return { body: { data: describeMe(user) } };
      const { kind, name, env } = actor;
      const permissions = PERMISSIONS.filter((each) => actor.permissions.has(each));
      const environment = env === null ? null : access.environments.nameOf(env);
      return { body: { data: { kind, name, user: null, permissions, environment } } };
    },
  });
  return login === null ? [get] : [get, ...ownAccountRoutes({ ...parts, login })];
}

function ownAccountRoutes(parts: LoginParts): Route[] {
  const { store, access } = parts;
  return [
    route({
      method: "PATCH",
      path: "/v1/me",
      access: "api",
      permission: "any",
      summary: "Change your name or password",
      description: "A new password needs the old one, and ends all your other sessions.",
      body: z.strictObject({
        name: nameSchema.optional(),
        password: newPasswordSchema.optional(),
        current_password: passwordSchema.optional(),
      }),
      maxBodyBytes: MAX_PERSON_BYTES,
      response: one(meSchema),
      async handle(request) {
        const { actor, body, remoteAddress } = request;
        const user = requirePerson(parts, request);
        if (body.password !== undefined) {
          await changePassword(parts, request, user, body.password, body.current_password);
          // At once: the sessions it has ended must not go on when the name cannot be changed.
          await access.reload();
        }
        if (body.name !== undefined && body.name !== user.name) {
          const { id, role } = requirePerson(parts, request);
          const author = access.author(actor, remoteAddress);
          const outcome = await store.execute("updateUser", {
            author,
            id,
            knownRole: role,
            name: body.name,
            role,
          });
          if (outcome !== "updated") throw new ServiceError("conflict");
          await access.reload();
        }
        return { body: { data: describeMe(requirePerson(parts, request)) } };
      },
    }),
    route({
      method: "GET",
      path: "/v1/me/sessions",
      access: "api",
      permission: "any",
      summary: "List your sessions, the one used last first",
      response: sessionListSchema,
      handle({ actor }) {
        const sessions = actor.kind === "user" ? access.people.sessionsOf(actor.id!) : [];
        return { body: { data: sessions.map((each) => describeSession(each, actor)) } };
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/me/sessions/:id",
      access: "api",
      permission: "any",
      summary: "End one of your sessions",
      async handle({ actor, params, remoteAddress }) {
        const userId = actor.kind === "user" ? actor.id! : "";
        await endSession(parts, access.author(actor, remoteAddress), userId, params.id ?? "");
        return {};
      },
    }),
  ];
}

/** @throws ServiceError `forbidden` when the request came with a token */
function requirePerson({ access }: LoginParts, { actor }: Pick<RouteRequest, "actor">): UserRecord {
  const user = actor.kind === "user" ? access.people.byId(actor.id!) : undefined;
  if (user === undefined) throw new ServiceError("forbidden", "Only people have an account to change.");
  return user;
}

async function changePassword(
  parts: LoginParts,
  { actor, remoteAddress }: Pick<RouteRequest, "actor" | "remoteAddress">,
  user: UserRecord,
  password: string,
  current: string | undefined,
): Promise<void> {
  const { store, access, login } = parts;
  if (current === undefined) {
    throw new ServiceError("invalid_request", "`current_password`: the password you have is needed.", {
      field: "current_password",
    });
  }
  requireGoodPassword(password, [user.email, user.name]);
  // A session left open must not be a way to guess the password.
  const who = { account: user.email, user: user.email, address: remoteAddress };
  const changed = await login.guard.attempt(who, async () => {
    const { matches } = await login.passwords.verify(current, user.password_hash);
    if (!matches) return null;
    const passwordHash = await login.passwords.hash(password);
    return await store.execute("changePassword", {
      author: access.author(actor, remoteAddress),
      userId: user.id,
      verified: user.password_hash,
      passwordHash,
      keepSession: actor.sessionId!,
    });
  });
  if (changed === null) {
    throw new ServiceError("forbidden", "The current password is wrong.", { field: "current_password" });
  }
  if (!changed) throw new ServiceError("conflict", "The password was changed in the meantime.");
}
