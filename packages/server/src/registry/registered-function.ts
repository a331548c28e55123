import { DEFAULT_RETRIES, type Dialect, type FunctionConfig } from "@svc/protocol";
import type { RegisteredFunction } from "./registry.ts";

/** What the registry knows about a function besides its configuration. */
export interface FunctionFacts {
  env: string;
  appId: string;
  dialect: Dialect;
  paused: boolean;
}

/** A function ready to be called, made from its configuration as synced. */
export function toRegisteredFunction(config: FunctionConfig, facts: FunctionFacts): RegisteredFunction {
  const step = config.steps.step ?? Object.values(config.steps)[0]!;
  return {
    env: facts.env,
    id: config.id,
    appId: facts.appId,
    name: config.name || config.id,
    url: callUrl(config.id, step.runtime.url),
    dialect: facts.dialect,
    maxAttempts: (step.retries?.attempts ?? DEFAULT_RETRIES) + 1,
    paused: facts.paused,
    config,
  };
}

/** The address of a step, without the step: `stepId` is set anew for each call. */
function callUrl(functionId: string, stepUrl: string): string {
  const url = new URL(stepUrl);
  url.searchParams.delete("stepId");
  if (!url.searchParams.has("fnId")) url.searchParams.set("fnId", functionId);
  return url.href;
}
