/** `svc key`: fresh random keys, ready to be put into the environment. Nothing is stored. */
import { freshSecret, freshSigningKey } from "../access/keys/secrets.ts";
import { ConfigError } from "../config.ts";

const MAKERS: Record<string, { variable: string; make(): string }> = {
  event: { variable: "SVC_EVENT_KEY", make: () => freshSecret("event") },
  signing: { variable: "SVC_SIGNING_KEY", make: () => freshSigningKey("prod") },
  api: { variable: "SVC_API_TOKEN", make: () => freshSecret("api") },
};

/**
 * Print one fresh key of each kind as `NAME=value` lines, or a single bare one when its kind is named:
 * `svc key > .env`, `svc start --event-key "$(svc key event)"`.
 */
export function key([kind, ...rest]: string[]): void {
  if (rest.length > 0) throw new ConfigError(`"${rest[0]}" is not expected here.`);
  if (kind === undefined) {
    for (const { variable, make } of Object.values(MAKERS)) process.stdout.write(`${variable}=${make()}\n`);
    return;
  }
  const maker = Object.hasOwn(MAKERS, kind) ? MAKERS[kind] : undefined;
  if (!maker) {
    throw new ConfigError(`\`svc key ${kind}\`: the kinds are ${Object.keys(MAKERS).join(", ")}.`);
  }
  process.stdout.write(`${maker.make()}\n`);
}
