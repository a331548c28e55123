/** `/v1/setup`: the first account of a service, by the link that its start prints. */
import * as z from "zod";
import { ServiceError } from "../errors.ts";
import { type Route, route } from "../http/route.ts";
import { one } from "./answers.ts";
import { authorOf, joined, type LoginParts, newSession } from "./login.ts";
import {
  deadLink,
  emailSchema,
  linkTokenSchema,
  MAX_PERSON_BYTES,
  meSchema,
  nameSchema,
  newPasswordSchema,
  requireGoodPassword,
} from "./person.ts";

export function setupRoutes(parts: LoginParts): Route[] {
  const { store, access, clock, nextId, login } = parts;
  return [
    route({
      method: "GET",
      path: "/v1/setup",
      access: "open",
      summary: "Ask whether there is an owner yet",
      response: one(z.object({ needed: z.boolean().describe("Nobody owns the service yet.") })),
      handle: () => ({ body: { data: { needed: !access.people.hasOwner() } } }),
    }),
    route({
      method: "POST",
      path: "/v1/setup",
      access: "open",
      forPages: true,
      summary: "Make the first account",
      description:
        "Its token is in the link that a start without an owner prints. The account is an owner, and is logged in.",
      body: z.strictObject({
        token: linkTokenSchema,
        name: nameSchema,
        email: emailSchema,
        password: newPasswordSchema,
      }),
      maxBodyBytes: MAX_PERSON_BYTES,
      response: one(meSchema),
      async handle(request) {
        const { token, name, email, password } = request.body;
        const id = nextId(clock.now());
        const who = { account: null, user: null, address: request.remoteAddress };
        const session = await login.guard.attempt(who, async () => {
          if (login.setupLink?.opens(token) !== true) return null;
          if (access.people.hasOwner()) throw setUpAlready();
          requireGoodPassword(password, [email, name]);
          const password_hash = await login.passwords.hash(password);
          const fresh = newSession(parts, request, id);
          const made = await store.execute("setUpOwner", {
            author: authorOf(parts, request, id, name),
            user: { id, email, name, password_hash },
            session: fresh.session,
          });
          if (!made) throw setUpAlready();
          return fresh.token;
        });
        if (session === null) throw deadLink();
        return await joined(parts, request, id, session);
      },
    }),
  ];
}

function setUpAlready(): ServiceError {
  return new ServiceError("conflict", "This service has been set up already.");
}
