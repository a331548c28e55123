/** How a run ended, as the events say that the service sends of it. */
export const LIFECYCLE_KINDS = ["finished", "failed", "cancelled"] as const;

/** Names of the events in which the service tells how runs ended, in every dialect. */
export const LIFECYCLE_EVENT_NAMES: readonly string[] = ["svc", "inngest"].flatMap((dialect) =>
  LIFECYCLE_KINDS.map((kind) => `${dialect}/function.${kind}`),
);
