/**
 * Which step's function is running, to refuse steps inside steps. `AsyncLocalStorage` tells them from steps
 * of a parallel branch; where a runtime has none, any step started meanwhile counts as nested, since waiting
 * for it would never end.
 */
interface Running {
  /** The call that runs the step; other calls share the process. */
  owner: object;
  /** As its author wrote it. */
  stepId: string;
  hash: string;
}

interface Storage {
  run<T>(store: Running, fn: () => T): T;
  getStore(): Running | undefined;
}

interface BuiltinModules {
  getBuiltinModule?(name: "node:async_hooks"): { AsyncLocalStorage: new () => Storage } | undefined;
}

const asyncHooks = (globalThis as { process?: BuiltinModules }).process?.getBuiltinModule?.(
  "node:async_hooks",
);
const storage = asyncHooks && new asyncHooks.AsyncLocalStorage();
const withoutStorage = new WeakMap<object, Running>();

/** Run a step's function so that `runningStep()` inside it answers. */
export async function insideStep<T>(running: Running, fn: () => T): Promise<Awaited<T>> {
  if (storage) return await storage.run(running, fn);
  const { owner } = running;
  withoutStorage.set(owner, running);
  try {
    return await fn();
  } finally {
    withoutStorage.delete(owner);
  }
}

/** The step of this call in whose function we are; `undefined` outside of steps. */
export function runningStep(owner: object): Running | undefined {
  if (!storage) return withoutStorage.get(owner);
  const running = storage.getStore();
  return running?.owner === owner ? running : undefined;
}
