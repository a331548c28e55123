/** Starter transforms: for well-known producers, and one for every other. */
import { clerk } from "./clerk.ts";
import { generic } from "./generic.ts";
import { github } from "./github.ts";
import { intercom } from "./intercom.ts";
import { linear } from "./linear.ts";
import { resend } from "./resend.ts";
import { shopify } from "./shopify.ts";
import { slack } from "./slack.ts";
import type { Starter } from "./starter.ts";
import { stripe } from "./stripe.ts";

export { defaultTransform, slugOf } from "./generic.ts";
export type { Starter, StarterSample } from "./starter.ts";

/** In the order in which they are offered. */
export const starters: readonly Starter[] = [
  generic,
  stripe,
  github,
  clerk,
  linear,
  resend,
  shopify,
  slack,
  intercom,
];

/** @example starterById("stripe")?.transform */
export function starterById(id: string): Starter | undefined {
  return starters.find((starter) => starter.id === id);
}
