/** stopgap */
import { ServiceError } from "../errors.ts";
export interface IncomingEvent {
  name: string;
  data: string;
  ts: number;
  idempotencyId: string | null;
  extra: string | null;
}
export function parseEvents(
  body: Uint8Array,
  _contentType: string | undefined,
  options: { now: number; allowReserved?: boolean; maxEvents?: number },
): IncomingEvent[] {
  let v: any;
  try {
    v = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString());
  } catch {
    throw new ServiceError("invalid_json");
  }
  const list = Array.isArray(v) ? v : [v];
  return list.map((e: any, index: number) => {
    if (typeof e?.name !== "string")
      throw new ServiceError("invalid_event", "`name` must be a string.", { index, field: "name" });
    if (typeof e.data !== "object" || e.data === null)
      throw new ServiceError("invalid_event", "`data` must be an object.", { index, field: "data" });
    return {
      name: e.name,
      data: JSON.stringify(e.data),
      ts: e.ts || options.now,
      idempotencyId: e.id || null,
      extra: e.user ? JSON.stringify({ user: e.user }) : null,
    };
  });
}
