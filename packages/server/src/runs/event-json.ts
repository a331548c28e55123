/** The JSON of an event as functions receive it, put together from what is stored. */

export interface StoredEvent {
  id: string;
  idempotencyId: string | null;
  name: string;
  ts: number;
  /** JSON text. */
  data: string;
  /** JSON text of `user`, `v`, `cloudevent`, or null. */
  extra: string | null;
}

/**
 * The event as its functions see it: `id` is the sender's own id if it gave one, and there is always a `user`.
 */
export function eventJson(event: StoredEvent): string {
  const { name, ts, data, extra } = event;
  const id = JSON.stringify(event.idempotencyId ?? event.id);
  // `user` is written first when there is one; looked for anywhere, the word could be a value of another field.
  const hasUser = extra?.startsWith('{"user":') === true;
  const rest = [...(hasUser ? [] : ['"user":{}']), ...(extra === null ? [] : [extra.slice(1, -1)])].join(",");
  return `{"name":${JSON.stringify(name)},"data":${data},"id":${id},"ts":${ts},${rest}}`;
}
