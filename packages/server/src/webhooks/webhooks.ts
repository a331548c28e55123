/** The room of webhooks, built and wired: who knows them, who runs their transforms, who takes their requests. */
import type { Environments } from "../access/environments.ts";
import type { Sealer } from "../access/keys/secrets.ts";
import { createWebhookDirectory, type WebhookDirectory } from "./directory.ts";
import { createWebhookOperations, type WebhookOperations } from "./operations.ts";
import { createReceiver, type Receiver, type ReceiverParts } from "./receiver.ts";
import { createSandbox, type Sandbox, type SandboxObserver } from "./sandbox/sandbox.ts";

export interface Webhooks {
  directory: WebhookDirectory;
  receiver: Receiver;
  operations: WebhookOperations;
  sandbox: Sandbox;
  /** Take up what was left without an outcome. */
  start(): void;
  /** Transforms under way are given up: their requests are taken up by the next start. */
  stop(): Promise<void>;
}

export interface WebhooksParts
  extends Pick<ReceiverParts, "store" | "ingest" | "clock" | "logger" | "nextId"> {
  environments: Environments;
  sealer: Sealer;
  observer: ReceiverParts["observer"] & SandboxObserver;
}

export async function createWebhooks(parts: WebhooksParts): Promise<Webhooks> {
  const { store, clock, logger, observer } = parts;
  const directory = await createWebhookDirectory(store, clock);
  const sandbox = createSandbox({ clock, observer });
  const receiver = createReceiver({ ...parts, directory, sandbox });
  const operations = createWebhookOperations({ ...parts, directory, receiver, sandbox });
  let resumed: Promise<void> = Promise.resolve();
  return {
    directory,
    receiver,
    operations,
    sandbox,
    start() {
      resumed = receiver.resume().catch((error) => logger.error("webhook requests are left over", { error }));
    },
    async stop() {
      receiver.stop();
      await sandbox.close();
      await resumed;
    },
  };
}
