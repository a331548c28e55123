/** `svc drop-signing-keys`: the way out when the key that encrypts the stored signing keys is lost. */

import { masterKey } from "../access/keys/master-key.ts";
import { createSealer } from "../access/keys/secrets.ts";
import { dropUnreadable, findUnreadable, type Losses } from "../access/keys/unreadable-keys.ts";
import { ConfigError, loadConfig } from "../config.ts";
import { hasStore, openSqlite } from "../store/sqlite/open.ts";

const CONFIRM = "--yes";

/**
 * Say which stored signing keys cannot be decrypted, and with `--yes` revoke them, so that the service starts again.
 * Takes the flags and variables of `svc start`. The service must not be running.
 * @throws ConfigError when there is no store; Error with the code `DATA_DIR_IN_USE` or `SECRET_KEY` and a sentence
 * @example svc drop-signing-keys --data-dir /var/lib/svc --yes
 */
export async function dropSigningKeys(argv: string[]): Promise<void> {
  const config = loadConfig(
    "start",
    argv.filter((word) => word !== CONFIRM),
    process.env,
  );
  const { dataDir } = config;
  // A mistyped directory must not become an empty store in which everything is fine.
  if (dataDir === null || !hasStore(dataDir)) {
    throw new ConfigError(`${dataDir ?? "--in-memory"} has no store: name its directory with --data-dir.`);
  }
  const now = Date.now();
  const store = await openSqlite({ dataDir, now: Date.now });
  try {
    const sealer = createSealer(masterKey(config.secretKey, dataDir));
    const losses = await findUnreadable(store, sealer, config, now);
    const isConfirmed = argv.includes(CONFIRM);
    if (isConfirmed) await dropUnreadable(store, losses, now);
    process.stdout.write(lossesText(losses, isConfirmed));
  } finally {
    await store.close();
  }
}

/** What a person is told of it. */
export function lossesText({ environments, webhooks }: Losses, isDropped: boolean): string {
  const shown =
    webhooks === 0
      ? ""
      : `\nThe addresses of ${count(webhooks, "webhook")} cannot be shown any more. They go on working; rotate one to get a new address.\n`;
  if (environments.length === 0)
    return `Every stored signing key can be read: there is nothing to drop.\n${shown}`;
  const lost = environments.reduce((sum, { keys }) => sum + keys.length, 0);
  const rows = environments.map(({ environment, keys, left }) => {
    const names = keys.map(({ name, hint }) => `${name} (${hint})`).join(", ");
    const rest =
      left === 0 ? "none is left: its apps cannot sync, and refuse calls" : `${count(left, "key")} left`;
    return `  ${environment}: ${names}; ${rest}\n`;
  });
  const begin = isDropped
    ? `Dropped ${count(lost, "signing key")}, and wrote it to the audit log:`
    : `${count(lost, "stored signing key")} cannot be decrypted with this SVC_SECRET_KEY or secret.key:`;
  const end = isDropped
    ? "Start the service, make new signing keys, and give them to the apps."
    : `Nothing was changed. If a backup has the key, put it back instead. If it is lost, run this again with ${CONFIRM}.`;
  return `${begin}\n${rows.join("")}${shown}\n${end}\n`;
}

/** @example count(2, "key") // "2 keys" */
function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
