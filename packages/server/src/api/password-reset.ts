/** `POST /v1/password-reset`: a new password by a link that an administrator made. */
import * as z from "zod";
import { digest } from "../access/keys/secrets.ts";
import { type Route, route } from "../http/route.ts";
import { authorOf, type LoginParts } from "./login.ts";
import {
  deadLink,
  linkTokenSchema,
  MAX_PERSON_BYTES,
  newPasswordSchema,
  requireGoodPassword,
} from "./person.ts";

export function passwordResetRoutes(parts: LoginParts): Route[] {
  const { store, access, clock, login } = parts;
  return [
    route({
      method: "POST",
      path: "/v1/password-reset",
      access: "open",
      forPages: true,
      summary: "Set a new password by a link",
      description: "Ends all sessions of the person, who then logs in with the new password.",
      body: z.strictObject({ token: linkTokenSchema, password: newPasswordSchema }),
      maxBodyBytes: MAX_PERSON_BYTES,
      async handle(request) {
        const { token, password } = request.body;
        const tokenHash = digest(token);
        const who = { account: null, user: null, address: request.remoteAddress };
        const done = await login.guard.attempt(who, async () => {
          const link = await store.query("findInvitation", { tokenHash, now: clock.now() });
          const user = access.people.byId(link?.user_id ?? "");
          if (user === undefined) return null;
          requireGoodPassword(password, [user.email, user.name]);
          const passwordHash = await login.passwords.hash(password);
          const author = authorOf(parts, request, user.id, user.name);
          const args = { author, tokenHash, userId: user.id, passwordHash };
          return (await store.execute("resetPassword", args)) || null;
        });
        if (done === null) throw deadLink();
        await access.reload();
        return {};
      },
    }),
  ];
}
