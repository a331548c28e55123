/** `@svc/sdk/fetch`: serve functions wherever a server is a function from Request to Response. */
import { handleFetchRequest } from "./serve/fetch-request.ts";
import { adapterRefusal, createAppHandler, DEFAULT_SERVE_PATH, type ServeOptions } from "./serve/handler.ts";

export type { ServeOptions } from "./serve/handler.ts";

/**
 * A fetch handler that serves the functions at `/api/svc` (or `servePath`) and answers 404 elsewhere; for
 * Bun, Deno, Cloudflare Workers and the like.
 * @example Bun.serve({ port: 3000, fetch: serve({ client, functions: [ship] }) });
 * @example Deno.serve(serve({ client, functions: [ship] }));
 */
export function serve(options: ServeOptions): (request: Request) => Promise<Response> {
  const handler = createAppHandler(options, "fetch");
  const path = options.servePath ?? DEFAULT_SERVE_PATH;
  return async (request) => {
    if (new URL(request.url).pathname === path) return handleFetchRequest(handler, request);
    const { status, headers, body } = adapterRefusal("not_found", `The functions are served at ${path}.`);
    return new Response(body, { status, headers });
  };
}
