/** Whose webhooks a request may see. */
import { keyHolder } from "../access/environments.ts";
import { ServiceError } from "../errors.ts";
import type { RouteRequest } from "../http/route.ts";

/**
 * The webhook, or whatever else an environment holds, when it is there for the request: held by its environment, and
 * not shared with others that a token is not for.
 * @throws ServiceError `not_found`, `forbidden`
 */
export function requireHeld<T extends { env: string }>(
  { environment, actor }: Pick<RouteRequest, "environment" | "actor">,
  found: T | undefined,
): T {
  if (actor.env !== null && actor.env !== keyHolder(environment)) {
    throw new ServiceError(
      "forbidden",
      "Webhooks are shared by all branch environments, and this token is for one of them only.",
    );
  }
  // People and tokens of all environments find a webhook by its id, wherever they are.
  if (found === undefined || (actor.env !== null && found.env !== actor.env)) {
    throw new ServiceError("not_found", "There is no such webhook.");
  }
  return found;
}
