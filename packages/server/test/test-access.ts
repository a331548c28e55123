/** Access rules as a service has them, over a store that keeps nothing. */
import { createUlidGenerator } from "@svc/protocol";
import { type Access, createAccess } from "../src/access/access.ts";
import { createSealer } from "../src/access/keys/secrets.ts";
import { systemClock } from "../src/clock.ts";
import type { Config } from "../src/config.ts";
import { openSqlite } from "../src/store/sqlite/open.ts";
import type { Store } from "../src/store/store.ts";

export interface TestAccess {
  access: Access;
  store: Store;
  close(): Promise<void>;
}

/** @example const { access, close } = await testAccess("start", { eventKeys: ["evt-a"] }) */
export async function testAccess(
  mode: Config["mode"],
  keys: Partial<Pick<Config, "eventKeys" | "signingKeys" | "apiTokens">> = {},
  given?: Store,
): Promise<TestAccess> {
  const store = given ?? (await openSqlite({ dataDir: null, now: Date.now }));
  const access = await createAccess({
    config: { mode, eventKeys: [], signingKeys: [], apiTokens: [], ...keys },
    store,
    sealer: createSealer("test"),
    clock: systemClock,
    nextId: createUlidGenerator(),
  });
  return { access, store, close: () => (given === undefined ? store.close() : Promise.resolve()) };
}
