/** `svc dev`: a developer's machine. Starts, looks for an app, and says where everything is. */
import { loadConfig } from "../config.ts";
import { createLogger, useColors } from "../observe/log.ts";
import { banner, findApps } from "./banner.ts";
import { runService } from "./run-service.ts";

/** Run until a signal ends it. */
export async function dev(argv: string[]): Promise<void> {
  const config = loadConfig("dev", argv, process.env);
  const logger = createLogger({ level: config.logLevel, format: config.logFormat });
  // Set by `npm start`, which knows an event that makes its example app do something.
  const exampleEvent = process.env.SVC_EXAMPLE_EVENT;
  const { url } = await runService(config, logger, async (...args) => {
    const { startServer } = await import("../server.ts");
    return startServer(args[0], { ...args[1], exampleEvent });
  });
  if (config.logFormat === "json" || config.logLevel === "silent") {
    logger.info("svc dev is up", { url, data_dir: config.dataDir });
    return;
  }
  const looking = config.discovery || config.appUrls.length > 0;
  const apps = looking ? await findApps(url, 1_500) : [];
  process.stdout.write(banner({ url, config, apps, exampleEvent, colors: useColors(process.stdout) }));
}
