/** Bounds guessing of passwords and links, and remembers what was refused. */
import type { Clock } from "../../clock.ts";
import type { Logger } from "../../observe/log.ts";
import type { Author } from "../../store/commands/record-change.ts";
import type { Store } from "../../store/store.ts";
import { clientKey, createAttemptLimit } from "./attempt-limit.ts";

export interface LoginGuardParts {
  store: Pick<Store, "execute">;
  clock: Clock;
  logger: Logger;
  nextId(now: number): string;
}

export interface LoginGuard {
  /**
   * Make an attempt that somebody else may be making in another's name.
   * @param account whose password it is about: an e-mail address; null when it is about a link
   * @param user as the audit log may name it: an account there is; null otherwise
   * @param work resolves to null when the attempt was wrong; what it throws is no attempt
   * @throws ServiceError `rate_limited` with `retry_after`, s
   */
  attempt<T>(
    who: { account: string | null; user: string | null; address: string },
    work: () => Promise<T | null>,
  ): Promise<T | null>;
  /** Write down what is still to be written down. */
  stop(): Promise<void>;
}

const WINDOW_MS = 15 * 60_000;
/** Wrong attempts per window: people mistype a few times, an office has one address. */
const ATTEMPTS_PER_ACCOUNT = 10;
const ATTEMPTS_PER_ADDRESS = 50;

/** Refused attempts of this long become one entry of the audit log: at most 1,440 of some 500 bytes a day. */
export const REFUSALS_WRITTEN_EVERY_MS = 60_000;
/** Accounts and addresses that such an entry names at most. */
const NAMED = 5;

export function createLoginGuard({ store, clock, logger, nextId }: LoginGuardParts): LoginGuard {
  const byAccount = createAttemptLimit({
    limit: ATTEMPTS_PER_ACCOUNT,
    windowMs: WINDOW_MS,
    now: clock.now,
  });
  const byAddress = createAttemptLimit({
    limit: ATTEMPTS_PER_ADDRESS,
    windowMs: WINDOW_MS,
    now: clock.now,
  });
  let refused = { count: 0, users: new Set<string>(), addresses: new Set<string>() };
  let cancel = () => {};

  const write = async () => {
    cancel();
    const { count, users, addresses } = refused;
    if (count === 0) return;
    refused = { count: 0, users: new Set(), addresses: new Set() };
    const now = clock.now();
    const author: Author = {
      auditId: nextId(now),
      now,
      kind: "anybody",
      id: null,
      name: "anybody",
      address: addresses.size === 1 ? [...addresses][0]! : null,
    };
    await store
      .execute("recordRefusedLogins", { author, count, users: [...users], addresses: [...addresses] })
      .catch((error) => logger.warn("refused logins could not be written down", { error, count }));
  };

  const refuse = (user: string | null, address: string) => {
    if (refused.count++ === 0) cancel = clock.after(REFUSALS_WRITTEN_EVERY_MS, () => void write());
    // Only accounts there are: people type their password into the wrong field.
    if (user !== null && refused.users.size < NAMED) refused.users.add(user);
    if (refused.addresses.size < NAMED) refused.addresses.add(address);
  };

  return {
    async attempt({ account, user, address }, work) {
      const client = clientKey(address);
      try {
        byAddress.take(client);
      } catch (error) {
        refuse(user, address);
        throw error;
      }
      try {
        if (account !== null) byAccount.take(account);
      } catch (error) {
        byAddress.giveBack(client);
        refuse(user, address);
        throw error;
      }
      try {
        const result = await work();
        if (result === null) {
          refuse(user, address);
          return null;
        }
        byAddress.giveBack(client);
        if (account !== null) byAccount.clear(account);
        return result;
      } catch (error) {
        byAddress.giveBack(client);
        if (account !== null) byAccount.giveBack(account);
        throw error;
      }
    },
    stop: write,
  };
}
