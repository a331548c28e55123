/** `/v1/invitations`: links by which new people come in. */
import { parseDuration } from "@svc/protocol";
import * as z from "zod";
import { digest, freshSecret } from "../access/keys/secrets.ts";
import { baseUrl, requestOrigin } from "../access/request-origin.ts";
import { ServiceError } from "../errors.ts";
import { type Route, route } from "../http/route.ts";
import type { InvitationRecord } from "../store/access-records.ts";
import { isoTime, one, toIso } from "./answers.ts";
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
  roleSchema,
} from "./person.ts";
import { requireOwnerFor, requireRightsOf } from "./users.ts";

const MIN_VALID_MS = 5 * 60_000;
const MAX_VALID_MS = 30 * 86_400_000;

const invitationSchema = z
  .object({
    id: z.string(),
    email: z.string().nullable().describe("Whom it is for; null: whoever has the link."),
    role: roleSchema,
    created_at: isoTime,
    created_by: z.string().nullable(),
    expires_at: isoTime,
  })
  .meta({ id: "Invitation" });

const createSchema = z.strictObject({
  role: roleSchema,
  email: emailSchema.optional().describe("Whom it is for; without it anybody who has the link may use it."),
  expires_in: z
    .string()
    .max(40)
    .default("7d")
    .refine((text) => {
      const duration = parseDuration(text) ?? 0;
      return duration >= MIN_VALID_MS && duration <= MAX_VALID_MS;
    }, "expected a length of time from 5m to 30d")
    .describe("How long the link is good, 5m to 30d."),
});

const acceptSchema = z.strictObject({
  token: linkTokenSchema,
  name: nameSchema,
  email: emailSchema.optional().describe("Not needed when the invitation is for one."),
  password: newPasswordSchema,
});

export function invitationRoutes(parts: LoginParts): Route[] {
  const { store, access, config, clock, nextId } = parts;
  const rule = { access: "api", permission: "administer", account: true } as const;
  const living = () => store.query("listInvitations", { now: clock.now() });

  return [
    route({
      method: "GET",
      path: "/v1/invitations",
      ...rule,
      summary: "List invitations that wait for somebody, newest first",
      response: z.object({ data: z.array(invitationSchema) }),
      handle: async () => ({ body: { data: (await living()).map(describeInvitation) } }),
    }),
    route({
      method: "POST",
      path: "/v1/invitations",
      ...rule,
      summary: "Invite somebody",
      description:
        "The answer has the link, which is shown this once, is good for one person, and has no more rights than whoever made it.",
      body: createSchema,
      maxBodyBytes: MAX_PERSON_BYTES,
      response: one(invitationSchema.extend({ url: z.string() })),
      async handle({ body, actor, headers, remoteAddress }) {
        requireRightsOf(body.role, actor);
        const base = baseUrl(requestOrigin(headers, config.trustProxy), config.basePath);
        const author = access.author(actor, remoteAddress);
        const token = freshSecret("invitation");
        const invitation = {
          id: nextId(author.now),
          token_hash: digest(token),
          email: body.email ?? null,
          role: body.role,
          expires_at: author.now + Math.round(parseDuration(body.expires_in)!),
          user_id: null,
        };
        const outcome = await store.execute("createInvitation", { author, invitation });
        if (outcome === "email_taken") {
          throw new ServiceError("conflict", "There is a person with that e-mail address already.", {
            field: "email",
          });
        }
        if (outcome !== "created") {
          throw new ServiceError("conflict", "Too many invitations wait: revoke some.");
        }
        const shown = { ...invitation, created_at: author.now, created_by: author.name };
        // After the `#`: browsers keep that to themselves, so it gets into no log on the way.
        const data = { ...describeInvitation(shown), url: `${base}/invitation#${token}` };
        return { headers: { "cache-control": "no-store" }, body: { data } };
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/invitations/:id",
      ...rule,
      summary: "Revoke an invitation",
      async handle({ params, actor, remoteAddress }) {
        const id = params.id ?? "";
        const found = (await living()).find((invitation) => invitation.id === id);
        if (found !== undefined) requireOwnerFor(found.role, actor);
        const author = access.author(actor, remoteAddress);
        if (found === undefined || !(await store.execute("revokeInvitation", { author, id }))) {
          throw new ServiceError("not_found", "There is no such invitation.");
        }
        return {};
      },
    }),
    acceptRoute(parts),
  ];
}

function acceptRoute(parts: LoginParts): Route {
  const { store, clock, nextId, login } = parts;
  return route({
    method: "POST",
    path: "/v1/invitations/accept",
    access: "open",
    forPages: true,
    summary: "Accept an invitation",
    description: "Makes the account and logs in, with the cookie of `POST /v1/session`.",
    body: acceptSchema,
    maxBodyBytes: MAX_PERSON_BYTES,
    response: one(meSchema),
    async handle(request) {
      const { token, name, password, email: given } = request.body;
      const tokenHash = digest(token);
      const id = nextId(clock.now());
      const who = { account: null, user: null, address: request.remoteAddress };
      const accepted = await login.guard.attempt(who, async () => {
        const invitation = await store.query("findInvitation", { tokenHash, now: clock.now() });
        if (invitation === null || invitation.user_id !== null) return null;
        const email = invitation.email ?? given;
        if (email === undefined) {
          throw new ServiceError("invalid_request", "`email`: an e-mail address is needed.", {
            field: "email",
          });
        }
        if (given !== undefined && given !== email) {
          throw new ServiceError("invalid_request", "`email`: the invitation is for another address.", {
            field: "email",
          });
        }
        requireGoodPassword(password, [email, name]);
        const password_hash = await login.passwords.hash(password);
        const fresh = newSession(parts, request, id);
        const outcome = await store.execute("acceptInvitation", {
          author: authorOf(parts, request, id, name),
          tokenHash,
          user: { id, email, name, password_hash },
          session: fresh.session,
        });
        if (outcome === "gone") return null;
        if (outcome === "email_taken") {
          throw new ServiceError("conflict", "There is a person with that e-mail address already.", {
            field: "email",
          });
        }
        if (outcome === "too_many") throw new ServiceError("conflict", "There are too many people here.");
        return fresh.token;
      });
      if (accepted === null) throw deadLink();
      return await joined(parts, request, id, accepted);
    },
  });
}

function describeInvitation(
  invitation: Pick<InvitationRecord, "id" | "email" | "role" | "created_at" | "created_by" | "expires_at">,
): z.output<typeof invitationSchema> {
  const { id, email, role, created_at, created_by, expires_at } = invitation;
  return {
    id,
    email,
    role,
    created_at: toIso(created_at),
    created_by,
    expires_at: toIso(expires_at),
  };
}
