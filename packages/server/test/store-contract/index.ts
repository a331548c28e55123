/**
 * What every engine of the store must do. An engine without this suite does not exist: hand it a function that opens an
 * empty store, as `store.test.ts` does for SQLite, and all of it runs on that engine.
 *
 * | file | promises |
 * | --- | --- |
 * | `events.ts` | an event is stored once, with its runs, or not at all |
 * | `runs.ts` | the item of the queue is the token; transitions are whole; what is due comes in order |
 * | `reruns.ts` | a run that repeats another takes over what it should, and nothing else |
 * | `access.ts` | keys and environments live as long as they should, and there are not too many |
 * | `people.ts` | who comes in, who goes, and what is remembered of it |
 * | `webhooks.ts` | webhooks, their versions, and what became of their requests |
 * | `closing.ts` | what was given before is durable, what comes after is refused |
 *
 * What an engine does beyond that (files, threads, recovery of a crash) is tested beside it.
 */
import { accessContract } from "./access.ts";
import { closingContract } from "./closing.ts";
import type { OpenStore } from "./engine-under-test.ts";
import { eventContract } from "./events.ts";
import { peopleContract } from "./people.ts";
import { rerunContract } from "./reruns.ts";
import { runContract } from "./runs.ts";
import { webhookContract } from "./webhooks.ts";

/**
 * Run the suite on an engine.
 * @example storeContract("SQLite", openEmpty)
 */
export function storeContract(engineName: string, open: OpenStore) {
  eventContract(engineName, open);
  runContract(engineName, open);
  rerunContract(engineName, open);
  accessContract(engineName, open);
  peopleContract(engineName, open);
  webhookContract(engineName, open);
  closingContract(engineName, open);
}
