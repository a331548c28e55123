/** `/v1/session`: logging in and out. */
import * as z from "zod";
import { endedSessionCookie } from "../access/people/session-cookie.ts";
import { requestOrigin } from "../access/request-origin.ts";
import { ServiceError } from "../errors.ts";
import { type Route, route } from "../http/route.ts";
import type { UserRecord } from "../store/access-records.ts";
import { one } from "./answers.ts";
import { authorOf, type LoginParts, letIn, newSession } from "./login.ts";
import { emailSchema, MAX_PERSON_BYTES, meSchema, passwordSchema } from "./person.ts";

export function sessionRoutes(parts: LoginParts): Route[] {
  const { store, access, config, login } = parts;
  return [
    route({
      method: "POST",
      path: "/v1/session",
      access: "open",
      forPages: true,
      summary: "Log in",
      description:
        "Sets a cookie that is good for 30 days after its last use, 90 days at most. Only pages of the service may call it: programs use API tokens. After ten wrong passwords for an account, or fifty from an address, within 15 minutes the answer is `rate_limited`.",
      body: z.strictObject({ email: emailSchema, password: passwordSchema }),
      maxBodyBytes: MAX_PERSON_BYTES,
      response: one(meSchema),
      async handle(request) {
        const { email, password } = request.body;
        const user = access.people.byEmail(email);
        const who = { account: email, user: user?.email ?? null, address: request.remoteAddress };
        const session = await login.guard.attempt(who, async () => {
          const opened = await openSession(parts, request, user, password);
          if (opened !== "changed") return opened;
          // Often the hash was only made anew, by a login beside this one: the password must fit the one there is now.
          await access.reload();
          const again = await openSession(parts, request, access.people.byEmail(email), password);
          return again === "changed" ? null : again;
        });
        if (session === null || user === undefined) {
          throw new ServiceError("unauthorized", "The e-mail address or the password is wrong.");
        }
        return letIn(parts, request, user.id, session.token);
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/session",
      access: "api",
      permission: "any",
      summary: "Log out",
      description: "Ends the session of the request and takes back its cookie.",
      async handle({ actor, headers, remoteAddress }) {
        if (actor.id === null || actor.sessionId === null) {
          throw new ServiceError("not_found", "There is no session: the request came with a token.");
        }
        await store.execute("endSessions", {
          author: access.author(actor, remoteAddress),
          userId: actor.id,
          sessionId: actor.sessionId,
        });
        await access.reload();
        const { secure } = requestOrigin(headers, config.trustProxy);
        return { headers: { "set-cookie": endedSessionCookie(secure) } };
      },
    }),
  ];
}

/**
 * Check a password and store a session.
 * @returns null when the password is wrong, `changed` when the user is gone or has another hash by now
 */
async function openSession(
  parts: LoginParts,
  request: Parameters<typeof newSession>[1],
  user: UserRecord | undefined,
  password: string,
): Promise<{ token: string } | null | "changed"> {
  const { store, access, login } = parts;
  // Without a user, too: how long it takes must not tell who has an account.
  const verified = user?.password_hash ?? null;
  const { matches, outdated } = await login.passwords.verify(password, verified);
  if (!matches || user === undefined || verified === null) return null;
  const { token, session } = newSession(parts, request, user.id);
  const rehashed = outdated ? await login.passwords.hash(password) : null;
  const author = authorOf(parts, request, user.id, user.name);
  const ended = await store.execute("createSession", { author, session, verified, rehashed });
  if (ended === null) return "changed";
  // In this turn: a change that is stored after the login is read after it, too.
  access.loggedIn({ session, ended, rehashed });
  return { token };
}
