/** Passwords: hashed with scrypt, which takes time and memory on purpose, away from the event loop. */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { ServiceError } from "../../errors.ts";

/** N, r and p of scrypt: time grows with N·r·p, memory is 128·N·r bytes. */
export interface ScryptCost {
  N: number;
  r: number;
  p: number;
}

/**
 * About 180 ms of one core and 32 MiB, the least that OWASP's password storage cheat sheet asks for. Hashes carry their
 * own cost, so this can be raised at any time.
 */
export const PASSWORD_COST: ScryptCost = { N: 2 ** 15, r: 8, p: 3 };

/** Hashed at once: more would take all of libuv's four threads, on which files and names are looked up too. */
const AT_ONCE = 2;
/** Hashes that wait at most: some two seconds of work. */
const MAX_WAITING = 20;
const HASH_BYTES = 32;
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 200;

/** What people choose first when they have to choose ten characters or more. */
const MOST_COMMON = new Set(
  `1234567890 0123456789 0987654321 9876543210 12345678910 123456789a 1234567891 123456789q q123456789 a123456789 1q2w3e4r5t
   1qaz2wsx3edc qwertyuiop qwertyuiop123 qwerty12345 qwerty123456 asdfghjkl1 asdfghjkl123 1234567890qwertyuiop
   password12 password123 password1234 password12345 passw0rd123 p@ssw0rd123 administrator changeme123 changemenow
   letmein123 letmein1234 welcome123 welcome1234 iloveyou123 iloveyou12 iloveyou1234 sunshine123 football123
   baseball123 princess123 superman123 dragon12345 monkey12345 trustno1trustno1 correcthorsebatterystaple`.split(
    /\s+/,
  ),
);

/**
 * Why a password cannot be taken; null when it can.
 * @param about what others know of its owner: e-mail address and name
 * @example passwordProblem("short", ["ada@example.com"]) // "expected 10 to 200 characters"
 */
export function passwordProblem(password: string, about: readonly string[]): string | null {
  const plain = normalized(password);
  const length = [...plain].length;
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    return `expected ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`;
  }
  const folded = fold(password);
  if (MOST_COMMON.has(folded) || new Set(folded).size < 4) {
    return "this password is among the first that are tried";
  }
  const known = about.flatMap((text) => [text, text.split("@")[0]!]).map(fold);
  if (known.includes(folded)) return "the password must not be the name or the e-mail address";
  return null;
}

/** What `verify` found. */
export interface Verified {
  matches: boolean;
  /** It was hashed at another cost than today's: hash it anew while it is known. */
  outdated: boolean;
}

export interface Passwords {
  /** The text to store: algorithm, cost, salt and hash. @throws ServiceError `unavailable` when too many wait */
  hash(password: string): Promise<string>;
  /**
   * Whether a password belongs to a stored text. Without one (nobody has that e-mail address) it takes just as long.
   * @throws ServiceError `unavailable` when too many wait
   */
  verify(password: string, stored: string | null): Promise<Verified>;
}

/**
 * @example
 * const passwords = createPasswords();
 * await passwords.verify("open sesame!", await passwords.hash("open sesame!")); // { matches: true, outdated: false }
 */
export function createPasswords(cost: ScryptCost = PASSWORD_COST): Passwords {
  const turn = createTurns(AT_ONCE, MAX_WAITING);
  /** Compared with when there is nobody: the same work at the same cost, and no password leads to it. */
  const nobody: Stored = { cost, salt: randomBytes(16), hash: randomBytes(HASH_BYTES) };
  return {
    async hash(password) {
      const salt = randomBytes(16);
      const derived = await turn(() => derive(password, salt, cost));
      return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString("base64url")}$${derived.toString("base64url")}`;
    },
    async verify(password, stored) {
      const known = stored === null ? nobody : readStored(stored);
      const derived = await turn(() => derive(password, known.salt, known.cost));
      const matches = timingSafeEqual(derived, known.hash) && stored !== null;
      const { N, r, p } = known.cost;
      return { matches, outdated: matches && (N !== cost.N || r !== cost.r || p !== cost.p) };
    },
  };
}

interface Stored {
  cost: ScryptCost;
  salt: Buffer;
  hash: Buffer;
}

function readStored(text: string): Stored {
  const [algorithm, N, r, p, salt = "", hash = ""] = text.split("$");
  const stored: Stored = {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, "base64url"),
    hash: Buffer.from(hash, "base64url"),
  };
  // Only a damaged store has such a text; an empty hash must never match.
  if (algorithm !== "scrypt" || stored.hash.length !== HASH_BYTES) {
    throw new Error("A stored password hash cannot be read.");
  }
  return stored;
}

function derive(password: string, salt: Buffer, { N, r, p }: ScryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(normalized(password), salt, HASH_BYTES, { N, r, p, maxmem: MAX_MEMORY_BYTES }, (error, derived) =>
      error === null ? resolve(derived) : reject(error),
    );
  });
}

/** The same text however a keyboard composes it. */
function normalized(password: string): string {
  return password.normalize("NFKC");
}

function fold(text: string): string {
  return normalized(text).trim().toLowerCase().replaceAll(" ", "");
}

/** Runs work a few at a time, in order; what would wait too long is refused. */
function createTurns(atOnce: number, maxWaiting: number) {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy >= atOnce) {
      if (waiting.length >= maxWaiting) {
        throw new ServiceError("unavailable", "Too many people are logging in right now.", {
          retry_after: 2,
        });
      }
      // Whoever ends hands over its place, so nobody can slip in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else busy++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) busy--;
      else next();
    }
  };
}
