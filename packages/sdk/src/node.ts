/** `@svc/sdk/node`: serve functions from a plain `node:http` server. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { adapterRefusal, createAppHandler, DEFAULT_SERVE_PATH, type ServeOptions } from "./serve/handler.ts";
import { handleNodeRequest, respond } from "./serve/node-request.ts";

export type { ServeOptions } from "./serve/handler.ts";

/**
 * A `node:http` request listener that serves the functions at `/api/svc` (or `servePath`) and answers 404
 * elsewhere.
 * @example
 * createServer(serve({ client, functions: [ship] })).listen(3000);
 * @example
 * const svc = serve({ client, functions: [ship] });
 * createServer((req, res) => (req.url?.startsWith("/api/svc") ? svc(req, res) : site(req, res)));
 */
export function serve(options: ServeOptions): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const handler = createAppHandler(options, "nodejs");
  const path = options.servePath ?? DEFAULT_SERVE_PATH;
  return async (req, res) => {
    const asked = (req.url ?? "/").split("?", 1)[0];
    if (asked !== path) {
      respond(
        res,
        adapterRefusal("not_found", `The functions are served at ${path}; see the \`servePath\` option.`),
      );
      return;
    }
    await handleNodeRequest(handler, req, res);
  };
}
