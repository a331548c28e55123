import type { Route } from "../http/route.ts";
import { apiTokenRoutes } from "./api-tokens.ts";
import { appRoutes } from "./apps.ts";
import { auditLogRoutes } from "./audit-log.ts";
import { eventKeyRoutes, signingKeyRoutes } from "./environment-keys.ts";
import { environmentRoutes } from "./environments.ts";
import { eventRoutes } from "./events.ts";
import { filterRoutes } from "./filters.ts";
import { functionRoutes } from "./functions.ts";
import { healthRoutes } from "./health.ts";
import { invitationRoutes } from "./invitations.ts";
import { laterProtocolRoutes } from "./later-protocol.ts";
import { meRoutes } from "./me.ts";
import { openApiRoutes } from "./openapi.ts";
import type { ApiParts } from "./parts.ts";
import { passwordResetRoutes } from "./password-reset.ts";
import { runRoutes } from "./runs.ts";
import { sessionRoutes } from "./session.ts";
import { settingsRoutes } from "./settings.ts";
import { setupRoutes } from "./setup.ts";
import { userRoutes } from "./users.ts";
import { webhookRequestRoutes } from "./webhook-requests.ts";
import { webhookTransformRoutes } from "./webhook-transforms.ts";
import { webhookRoutes } from "./webhooks.ts";

/**
 * All routes of the API.
 * @param others routes made elsewhere that the API's description should know of
 */
export function apiRoutes(parts: ApiParts, others: readonly Route[] = []): Route[] {
  const routes = [
    ...eventRoutes(parts),
    ...runRoutes(parts),
    ...functionRoutes(parts),
    ...appRoutes(parts),
    ...webhookRoutes(parts),
    ...webhookRequestRoutes(parts),
    ...webhookTransformRoutes(parts),
    ...filterRoutes(),
    ...environmentRoutes(parts),
    ...eventKeyRoutes(parts),
    ...signingKeyRoutes(parts),
    ...apiTokenRoutes(parts),
    ...meRoutes(parts),
    ...peopleRoutes(parts),
    ...auditLogRoutes(parts),
    ...settingsRoutes(parts),
    ...healthRoutes(parts),
    ...laterProtocolRoutes(),
  ];
  return [...routes, ...openApiRoutes([...routes, ...others], { version: parts.version })];
}

/** In development nobody logs in, and there is nobody to invite. */
function peopleRoutes(parts: ApiParts): Route[] {
  if (parts.login === null) return [];
  const withLogin = { ...parts, login: parts.login };
  return [
    ...sessionRoutes(withLogin),
    ...userRoutes(withLogin),
    ...invitationRoutes(withLogin),
    ...passwordResetRoutes(withLogin),
    ...setupRoutes(withLogin),
  ];
}
