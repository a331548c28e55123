/** From a configuration to a running service and back: start, signals, exit codes. */
import { constants } from "node:os";
import type { Config } from "../config.ts";
import type { Logger } from "../observe/log.ts";

/** What the composition root gives back. */
export interface RunningService {
  url: string;
  /** Where the first account is made, if that is still to do. */
  setupUrl?: string | null;
  close(): Promise<void>;
}

export type StartServer = (config: Config, parts: { logger: Logger }) => Promise<RunningService>;

/** npm and some shells pass one Ctrl-C on a second time; a person needs longer to press it again. */
const SAME_SIGNAL_MS = 500;

/** Loaded only now: help, keys and mistyped flags do not pay for the service. */
const loadServer = async (): Promise<StartServer> => (await import("../server.ts")).startServer;

/**
 * Start the service and keep it running until a signal ends it. The first SIGTERM, SIGINT or SIGHUP stops it
 * gracefully (exit code 0), the second at once (128 + the signal's number). What nobody caught is logged
 * and ends the process with 1.
 * @returns the running service; never when it could not start
 */
export async function runService(
  config: Config,
  logger: Logger,
  startServer?: StartServer,
): Promise<RunningService> {
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error) => {
      logger.error("svc stops: an error that nothing caught", { error });
      process.exit(1);
    });
  }
  const start = startServer ?? (await loadServer());
  // Listening for signals comes first: a start that was interrupted half-way must still be closed.
  const starting = Promise.withResolvers<RunningService>();
  stopOnSignals(starting.promise, logger);
  starting.resolve(start(config, { logger }));
  try {
    return await starting.promise;
  } catch (error) {
    const sentence = knownProblem(error, config);
    if (sentence) logger.error(sentence);
    else logger.error("svc could not start", { error });
    process.exit(1);
  }
}

function stopOnSignals(starting: Promise<RunningService>, logger: Logger): void {
  let stoppingSince: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, async () => {
      if (stoppingSince !== undefined) {
        if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(128 + constants.signals[signal]);
        return;
      }
      stoppingSince = performance.now();
      logger.info("stopping; again to stop at once", { signal });
      try {
        await (await starting).close();
        logger.info("stopped");
        process.exit(0);
      } catch (error) {
        logger.error("svc did not stop cleanly", { error });
        process.exit(1);
      }
    });
  }
}

/** What a person can do about a start that failed, where that is known. */
function knownProblem(error: unknown, { mode, host, port }: Config): string | undefined {
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case "DATA_DIR_IN_USE":
    case "SECRET_KEY":
      return (error as Error).message;
    case "EADDRINUSE":
      return `Port ${port} is in use, perhaps by another svc: stop that one, or run \`svc ${mode} --port ${(port % 65_535) + 1}\`.`;
    case "EACCES":
      return (error as NodeJS.ErrnoException).syscall === "listen"
        ? `Port ${port} is reserved for the system: choose one above 1023 with --port.`
        : undefined;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `This machine has no address ${host}: choose another with --host.`;
    default:
      return undefined;
  }
}
