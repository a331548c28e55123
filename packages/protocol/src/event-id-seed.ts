/**
 * The id-seed header: a sender that may have to repeat a request fixes the ids of its events by it.
 * Form: `<ms since the epoch>,<base64 of 10 bytes>`.
 */
import { encodeUlid } from "./ulid.ts";

export interface EventIdSeed {
  time: number;
  bytes: Uint8Array;
}

const MAX_ULID_TIME = 2 ** 48 - 1;

/** Parse the header; `undefined` when it is not of its form. */
export function parseEventIdSeed(header: string): EventIdSeed | undefined {
  const match = /^(\d{1,15}),([A-Za-z0-9+/]{14}==)$/.exec(header);
  if (!match) return undefined;
  const time = Number(match[1]);
  if (time > MAX_ULID_TIME) return undefined;
  return { time, bytes: Uint8Array.from(atob(match[2]!), (char) => char.charCodeAt(0)) };
}

/** The header text of a seed. */
export function formatEventIdSeed(seed: EventIdSeed): string {
  return `${seed.time},${btoa(String.fromCharCode(...seed.bytes))}`;
}

/**
 * The id of the event at `index` (from 0) of a request with this seed: the ULID of the time and of the bytes
 * with `index + 1` added to the last four, taken as a big-endian number. (Recorded clients count from 1.)
 */
export function seededEventId(seed: EventIdSeed, index: number): string {
  const bytes = seed.bytes.slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint32(6, (view.getUint32(6) + index + 1) >>> 0);
  return encodeUlid(seed.time, bytes);
}
