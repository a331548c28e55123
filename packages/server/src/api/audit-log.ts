/** `/v1/audit-log`: who changed what. */
import * as z from "zod";
import { type Route, route } from "../http/route.ts";
import type { AuditRecord } from "../store/access-records.ts";
import { isoTime, pageOf, toIso } from "./answers.ts";
import { encodeCursor, idCursor, limitParameter, MAX_PAGE_BYTES, timeParameter } from "./parameters.ts";
import type { ApiParts } from "./parts.ts";

const entrySchema = z
  .object({
    id: z.string(),
    at: isoTime,
    actor: z.object({
      kind: z.string().describe("`user`, `token`, `app`, `development`, `service` or `anybody`."),
      id: z.string().nullable(),
      name: z.string(),
    }),
    address: z.string().nullable(),
    action: z.string().meta({ examples: ["user.updated"] }),
    target: z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() }),
    environment: z.string().nullable(),
    before: z.record(z.string(), z.unknown()).nullable().describe("What differs, as it was."),
    after: z.record(z.string(), z.unknown()).nullable().describe("What differs, as it is now."),
  })
  .meta({ id: "AuditEntry" });

const listQuery = z.object({
  actor: z.string().max(256).optional().describe("Id or name of who did it."),
  action: z.string().max(100).optional().describe("e.g. `user.updated`, or `user.*` for all of a kind."),
  target: z.string().max(256).optional().describe("Id of what it was done to."),
  after: timeParameter("At or after."),
  before: timeParameter("Before."),
  limit: limitParameter,
  cursor: idCursor,
});

export function auditLogRoutes({ store, access }: Pick<ApiParts, "store" | "access">): Route[] {
  const describe = (entry: AuditRecord): z.output<typeof entrySchema> => ({
    id: entry.id,
    at: toIso(entry.at),
    actor: { kind: entry.actor_kind, id: entry.actor_id, name: entry.actor_name },
    address: entry.address,
    action: entry.action,
    target: { kind: entry.target_kind, id: entry.target_id, name: entry.target_name },
    environment: entry.env === null ? null : access.environments.nameOf(entry.env),
    before: parsed(entry.before),
    after: parsed(entry.after),
  });
  return [
    route({
      method: "GET",
      path: "/v1/audit-log",
      access: "api",
      permission: "administer",
      account: true,
      summary: "Read who changed what, newest first",
      description: "Secrets never appear. Refused logins are counted: one entry a minute at most.",
      query: listQuery,
      response: pageOf(entrySchema),
      async handle({ query }) {
        const { entries, next } = await store.query("listAuditLog", {
          actor: query.actor || null,
          action: query.action || null,
          target: query.target || null,
          after: query.after ?? null,
          before: query.before ?? null,
          cursor: query.cursor ?? null,
          limit: query.limit,
          maxBytes: MAX_PAGE_BYTES,
        });
        const page = { cursor: next === null ? null : encodeCursor(next), has_more: next !== null };
        return { body: { data: entries.map(describe), page } };
      },
    }),
  ];
}

function parsed(text: string | null): Record<string, unknown> | null {
  return text === null ? null : JSON.parse(text);
}
