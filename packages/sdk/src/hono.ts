/** `@svc/sdk/hono`: serve functions from a Hono app. */
import { handleFetchRequest } from "./serve/fetch-request.ts";
import { createAppHandler, type ServeOptions } from "./serve/handler.ts";

export type { ServeOptions } from "./serve/handler.ts";

/** The part of Hono's context that is used; Hono itself is not a dependency. */
interface HonoContext {
  req: { raw: Request };
}

/**
 * A Hono handler for the path you choose; `/api/svc` is where the dev server looks.
 * @example app.on(["GET", "PUT", "POST"], "/api/svc", serve({ client, functions: [ship] }));
 */
export function serve(options: ServeOptions): (context: HonoContext) => Promise<Response> {
  const handler = createAppHandler(options, "hono");
  return (context) => handleFetchRequest(handler, context.req.raw);
}
