/** The key that secrets at rest are encrypted with: given, or made once and kept beside the store. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A start that fails because of the key: a person mends it, so the log has the sentence and no stack. */
export function secretKeyProblem(sentence: string, cause?: unknown): Error {
  return Object.assign(new Error(sentence, { cause }), { code: "SECRET_KEY" });
}

/**
 * The master key of a service.
 * @param given from the configuration; wins
 * @throws Error with the code `SECRET_KEY` when the file is empty or cannot be read
 * @param dataDir where it is kept otherwise, in a file that only the service's user can read; null: for this process only
 */
export function masterKey(given: string | null, dataDir: string | null): string {
  if (given !== null) return given;
  if (dataDir === null) return randomBytes(32).toString("base64url");
  const path = join(dataDir, "secret.key");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const kept = read(path);
  if (kept === "")
    throw secretKeyProblem(`${path} is empty: restore it from a backup, or set SVC_SECRET_KEY.`);
  if (kept !== undefined) return kept;
  const fresh = randomBytes(32).toString("base64url");
  // Renamed when it is whole: half a key would be taken for the key by the next start.
  writeFileSync(`${path}.new`, `${fresh}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  return fresh;
}

/** The text of the file; undefined when there is none. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw secretKeyProblem(
      `${path} cannot be read (${code}): it must be a file of the service's user.`,
      error,
    );
  }
}
