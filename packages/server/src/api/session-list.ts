/** Sessions as the API shows them, and ending them. */
import * as z from "zod";
import type { Actor } from "../access/actor.ts";
import { SESSION_IDLE_MS, type Session } from "../access/people/people.ts";
import { ServiceError } from "../errors.ts";
import type { Author } from "../store/commands/record-change.ts";
import { isoTime, toIso } from "./answers.ts";
import type { LoginParts } from "./login.ts";

const sessionSchema = z
  .object({
    id: z.string(),
    created_at: isoTime,
    last_seen_at: isoTime,
    expires_at: isoTime.describe("When it ends if it is not used any more."),
    address: z.string().nullable().describe("From where the login came."),
    user_agent: z.string().nullable(),
    current: z.boolean().describe("Whether it is the session of this request."),
  })
  .meta({ id: "Session" });

export const sessionListSchema = z.object({ data: z.array(sessionSchema) });

export function describeSession(session: Session, actor: Actor): z.output<typeof sessionSchema> {
  const { id, address, user_agent, created_at, last_seen_at, expires_at } = session;
  return {
    id,
    created_at: toIso(created_at),
    last_seen_at: toIso(last_seen_at),
    expires_at: toIso(Math.min(expires_at, last_seen_at + SESSION_IDLE_MS)),
    address,
    user_agent,
    current: id === actor.sessionId,
  };
}

/** End one session of a user, at once. @throws ServiceError `not_found` */
export async function endSession(
  { store, access }: Pick<LoginParts, "store" | "access">,
  author: Author,
  userId: string,
  sessionId: string,
): Promise<void> {
  const ended = sessionId === "" ? 0 : await store.execute("endSessions", { author, userId, sessionId });
  // Also when there was none to end: one that the store has ended already may still be in memory.
  await access.reload();
  if (ended === 0) throw new ServiceError("not_found", "There is no such session.");
}
