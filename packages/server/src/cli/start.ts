/** `svc start`: production. Everything it has to say is a log line. */
import { loadConfig } from "../config.ts";
import { createLogger } from "../observe/log.ts";
import { runService } from "./run-service.ts";
import { version } from "./version.ts";

/** Run until a signal ends it. */
export async function start(argv: string[]): Promise<void> {
  const config = loadConfig("start", argv, process.env);
  const logger = createLogger({ level: config.logLevel, format: config.logFormat });
  if (config.dataDir === null) logger.warn("in memory: every event is gone when this process ends");
  const { url, setupUrl = null } = await runService(config, logger);
  logger.info("svc is up", {
    url,
    version: version(),
    node: process.version,
    pid: process.pid,
    data_dir: config.dataDir,
  });
  if (setupUrl === null) return;
  // The log must have it, because often there is nothing else to read; it is good for one account and for a day.
  logger.warn("nobody owns this service yet: make the first account at this link", { link: setupUrl });
  if (process.stdout.isTTY && config.logFormat === "json") {
    process.stdout.write(`\n  Make the first account here:\n  ${setupUrl}\n\n`);
  }
}
