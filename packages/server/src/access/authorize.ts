/** Whether an actor may do what a route asks for, and the sentence for one who may not. */
import { ServiceError } from "../errors.ts";
import type { RouteRule } from "../http/route.ts";
import type { Actor, Permission } from "./actor.ts";

/** @throws ServiceError `forbidden` when the actor lacks what the rule asks for */
export function authorize(actor: Actor, rule: RouteRule & { access: "api" }): void {
  if (rule.permission !== "any" && !actor.permissions.has(rule.permission)) {
    throw new ServiceError("forbidden", `${NEEDED[rule.permission]} ${describe(actor)}`, {
      permission: rule.permission,
    });
  }
  if (rule.account && actor.env !== null) {
    throw new ServiceError(
      "forbidden",
      "This is about the whole service, and the token is for one environment only.",
    );
  }
}

const NEEDED: Record<Permission, string> = {
  read: "This takes the right to read.",
  send: "This takes the right to send events and to set runs going.",
  manage: "This takes the right to manage webhooks, functions, apps and branches.",
  administer: "This takes the right to administer keys, people and environments.",
};

function describe({ kind, role }: Actor): string {
  return kind === "user" ? `Your role is ${role}.` : "The token lacks that scope.";
}
