/** What the app of the crash suite runs, as plain data: the app is built from it, the verification expects it. */

/** Name of the app; its functions are known as `chaos-<id>`. */
export const APP = "chaos";

export interface ExpectedFunction {
  /** Names of the events that start it. */
  triggers: string[];
  /** Steps of a run, by the names their author gave them. */
  steps: string[];
  /** How every run ends. */
  status: "completed" | "failed";
  /** Failed attempts that every run remembers. */
  failedAttempts: number;
}

const completes = { status: "completed", failedAttempts: 0 } as const;

export const FUNCTIONS = {
  plain: { ...completes, triggers: ["chaos/plain", "chaos/all", "hook/one", "hook/many"], steps: [] },
  sequence: {
    ...completes,
    triggers: ["chaos/sequence", "chaos/all", "hook/identified"],
    steps: ["first", "second", "third"],
  },
  parallel: {
    ...completes,
    triggers: ["chaos/parallel", "chaos/all"],
    steps: ["left", "middle", "right"],
  },
  sleeper: { ...completes, triggers: ["chaos/sleeper"], steps: ["before", "pause", "after"] },
  chain: { ...completes, triggers: ["chaos/chain"], steps: ["before", "send", "after"] },
  link: { ...completes, triggers: ["chaos/link"], steps: ["only"] },
  flaky: { status: "completed", failedAttempts: 1, triggers: ["chaos/flaky"], steps: ["steady", "shaky"] },
  /** Throws what must not be tried again. */
  doomed: { status: "failed", failedAttempts: 1, triggers: ["chaos/doomed"], steps: ["steady"] },
} satisfies Record<string, ExpectedFunction>;

/** Runs once for every run of `doomed`. */
export const FAILURE_HANDLER = "doomed-failure";

/** Steps that do not tell which execution they were: the service sleeps, the SDK sends. */
export const UNCOUNTED_STEPS: ReadonlySet<string> = new Set(["pause", "send"]);

/** The step that throws on its first attempt, and so has to be executed twice. */
export const SHAKY_STEP = "shaky";

/** Stands for the function itself where it has no steps. */
export const WHOLE_BODY = "(body)";

/** Keys of the events that a run of `chain` sends. */
export function linkKeys(runId: string): string[] {
  return [`link-${runId}-plain`, `link-${runId}-deduplicated`];
}
