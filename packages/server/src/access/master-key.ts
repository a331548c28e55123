/** The key that secrets at rest are encrypted with: given, or made once and kept beside the store. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The master key of a service.
 * @param given from the configuration; wins
 * @param dataDir where it is kept otherwise, in a file that only the service's user can read; null: for this process only
 */
export function masterKey(given: string | null, dataDir: string | null): string {
  if (given !== null) return given;
  if (dataDir === null) return randomBytes(32).toString("base64url");
  const path = join(dataDir, "secret.key");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    const kept = readFileSync(path, "utf8").trim();
    if (kept === "") throw new Error(`${path} is empty: restore it from a backup, or set SVC_SECRET_KEY.`);
    return kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const fresh = randomBytes(32).toString("base64url");
  // Renamed when it is whole: half a key would be taken for the key by the next start.
  writeFileSync(`${path}.new`, `${fresh}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  return fresh;
}
