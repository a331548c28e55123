/** People as the API takes and shows them. */
import * as z from "zod";
import { PERMISSIONS, ROLES } from "../access/actor.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, passwordProblem } from "../access/people/passwords.ts";
import { normalEmail } from "../access/people/people.ts";
import { ServiceError } from "../errors.ts";
import type { UserRecord } from "../store/access-records.ts";
import { isoTime, toIso } from "./answers.ts";

/** Most that any answer to these routes may be told, bytes. */
export const MAX_PERSON_BYTES = 16 * 1024;

/** What would break a line of a log, or turn a name around. */
const ODD_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Whether a text can stand in a list, a log and an audit entry as what it is. */
export function isPlain(text: string): boolean {
  return text.isWellFormed() && !ODD_CHARACTERS.test(text);
}

export const emailSchema = z
  .string()
  .max(254)
  .transform(normalEmail)
  .refine((email) => isPlain(email) && /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email), {
    error: "expected an e-mail address",
  })
  .meta({ examples: ["ada@example.com"] });

export const nameSchema = z
  .string()
  .max(100)
  .transform((name) => name.trim().normalize("NFC"))
  .refine((name) => name !== "" && isPlain(name), { error: "expected 1 to 100 characters of text" });

/** Looked at only as far as any password goes. */
export const passwordSchema = z.string().max(MAX_PASSWORD_LENGTH * 4);

export const newPasswordSchema = passwordSchema.describe(
  `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters; not the name, the e-mail address, or one of those that are tried first.`,
);

export const linkTokenSchema = z.string().max(200).describe("What the link ends with, after the `#`.");

export const roleSchema = z.enum(ROLES);

export const userSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: roleSchema,
    created_at: isoTime,
    last_seen_at: isoTime.nullable(),
  })
  .meta({ id: "User" });

export const meSchema = z
  .object({
    kind: z.enum(["user", "token", "development"]).describe("How the request was made."),
    name: z.string().describe("Of the person or the token."),
    user: userSchema.nullable().describe("The person; null when it was a token."),
    permissions: z.array(z.enum(PERMISSIONS)),
    environment: z.string().nullable().describe("The one environment the token is for; null: all."),
  })
  .meta({ id: "Me" });

export function describeUser(user: UserRecord): z.output<typeof userSchema> {
  const { id, email, name, role } = user;
  return {
    id,
    email,
    name,
    role,
    created_at: toIso(user.created_at),
    last_seen_at: toIso(user.last_seen_at),
  };
}

/** @throws ServiceError `invalid_request` when a password cannot be taken */
export function requireGoodPassword(password: string, about: readonly string[]): void {
  const problem = passwordProblem(password, about);
  if (problem !== null) {
    throw new ServiceError("invalid_request", `\`password\`: ${problem}.`, { field: "password" });
  }
}

/** One sentence for all reasons: it must tell nobody which links there are. */
export function deadLink(): ServiceError {
  return new ServiceError("unauthorized", "This link is unknown, has been used or has expired.");
}
