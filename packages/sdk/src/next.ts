/** `@svc/sdk/next`: serve functions from a route of the Next.js app router. */
import { handleFetchRequest } from "./serve/fetch-request.ts";
import { createAppHandler, type ServeOptions } from "./serve/handler.ts";

export type { ServeOptions } from "./serve/handler.ts";

type RouteHandler = (request: Request) => Promise<Response>;

/**
 * The route handlers of `app/api/svc/route.ts`.
 * @example export const { GET, POST, PUT } = serve({ client, functions: [ship] });
 */
export function serve(options: ServeOptions): { GET: RouteHandler; POST: RouteHandler; PUT: RouteHandler } {
  const handler = createAppHandler(options, "nextjs");
  const route: RouteHandler = (request) => handleFetchRequest(handler, request);
  return { GET: route, POST: route, PUT: route };
}
