/** Where the SDK and handlers write what happens. `console` fits, and so do pino, winston and others. */
export interface Logger {
  debug(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
}

/** A logger that is silent while `isReplaying()`: a handler's lines appear once, not once per call of a run. */
export function quietDuringReplay(logger: Logger, isReplaying: () => boolean): Logger {
  return {
    debug: (...values) => void (isReplaying() || logger.debug(...values)),
    info: (...values) => void (isReplaying() || logger.info(...values)),
    warn: (...values) => void (isReplaying() || logger.warn(...values)),
    error: (...values) => void (isReplaying() || logger.error(...values)),
  };
}
