/** IP addresses as numbers that can be compared. */
import { isIPv4, isIPv6 } from "node:net";

/** One 32-bit word for IPv4, four for IPv6. */
export type IpWords = readonly number[];

/** Longest text that may be an address: 45 characters and a zone. */
const MAX_LENGTH = 100;

/**
 * The words of an address; undefined when the text is none. An IPv4 address in IPv6 form (`::ffff:1.2.3.4`) is
 * the IPv4 address, and a zone (`fe80::1%eth0`) is dropped. Leading zeros in IPv4 are refused: some read them as
 * octal.
 * @example parseIp("10.0.0.1") // [0x0a000001]
 */
export function parseIp(text: string): IpWords | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  // A socket that listens on IPv6 too names its IPv4 clients so: no need to take that apart as IPv6.
  const short = text.startsWith("::ffff:") ? text.slice(7) : text;
  if (isIPv4(short)) return [ipv4Word(short)];
  if (!isIPv6(text)) return undefined;
  const words = ipv6Words(withoutZone(text));
  return isMapped(words) ? [words[3]!] : words;
}

/** Whether IPv6 words are an IPv4 address mapped into IPv6, within `::ffff:0:0/96`. */
export function isMapped(words: IpWords): boolean {
  return words.length === 4 && words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
}

/** The four words of a valid IPv6 address without zone, mapped or not. */
export function ipv6Words(text: string): IpWords {
  const gap = text.indexOf("::");
  const head = groups(gap === -1 ? text : text.slice(0, gap));
  const tail = gap === -1 ? [] : groups(text.slice(gap + 2));
  const all = [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
  return [0, 2, 4, 6].map((i) => ((all[i]! << 16) | all[i + 1]!) >>> 0);
}

/** The 16-bit groups of a part of an IPv6 address; dotted decimals at its end are two of them. */
function groups(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const word = ipv4Word(group);
    return [word >>> 16, word & 0xffff];
  });
}

function ipv4Word(text: string): number {
  const [a, b, c, d] = text.split(".").map(Number);
  return ((a! << 24) | (b! << 16) | (c! << 8) | d!) >>> 0;
}

/** An IPv6 address without its zone. */
export function withoutZone(text: string): string {
  const zone = text.indexOf("%");
  return zone === -1 ? text : text.slice(0, zone);
}

/**
 * An address as it is shown and logged: IPv4 in IPv6 form as IPv4, no zone, lower case; undefined when the text is
 * no address.
 * @example plainIp("::FFFF:1.2.3.4") // "1.2.3.4"
 */
export function plainIp(text: string): string | undefined {
  const words = parseIp(text);
  if (words === undefined) return undefined;
  if (words.length === 4) return withoutZone(text).toLowerCase();
  const word = words[0]!;
  return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}
