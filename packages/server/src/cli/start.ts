/** `svc start`: production. Everything it has to say is a log line. */
import { loadConfig } from "../config.ts";
import { createLogger } from "../observe/log.ts";
import { runService } from "./run-service.ts";
import { version } from "./version.ts";

/** Run until a signal ends it. */
export async function start(argv: string[]): Promise<void> {
  const config = loadConfig("start", argv, process.env);
  const logger = createLogger({ level: config.logLevel, format: config.logFormat });
  if (config.signingKeys.length === 0) {
    logger.warn("no signing key: apps cannot sync until SVC_SIGNING_KEY is set; `svc key` prints one");
  }
  if (config.dataDir === null) logger.warn("in memory: every event is gone when this process ends");
  const { url } = await runService(config, logger);
  logger.info("svc is up", {
    url,
    version: version(),
    node: process.version,
    pid: process.pid,
    data_dir: config.dataDir,
  });
}
