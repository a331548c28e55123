/** stopgap */

import type { Config } from "../config.ts";
import { ServiceError } from "../errors.ts";
export interface KeyRing {
  eventKeyEnv(key: string, envHeader?: string): { env: string; name: string };
  signingKey(env: string): string | null;
}
export function createKeyRing(config: Config): KeyRing {
  const keys = new Set(config.eventKeys);
  const env = config.mode === "dev" ? "dev" : "production";
  return {
    eventKeyEnv: (key) => {
      if (config.mode === "dev" || keys.has(key)) return { env, name: "default" };
      throw new ServiceError("unauthorized");
    },
    signingKey: () => config.signingKeys[0] ?? null,
  };
}
