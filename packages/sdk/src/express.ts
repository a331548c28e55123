/** `@svc/sdk/express`: serve functions from an Express app. */
import type { ServerResponse } from "node:http";
import { createAppHandler, type ServeOptions } from "./serve/handler.ts";
import { handleNodeRequest, type NodeRequest } from "./serve/node-request.ts";

export type { ServeOptions } from "./serve/handler.ts";

/**
 * An Express handler for the path you mount it at; `/api/svc` is where the dev server looks. It works with and
 * without `express.json()` in front of it, but without is better: a signed call is checked byte by byte then.
 * (`express.json()` also refuses bodies over 100 kB unless told otherwise.)
 * @example app.use("/api/svc", serve({ client, functions: [ship] }));
 */
export function serve(options: ServeOptions): (req: NodeRequest, res: ServerResponse) => Promise<void> {
  const handler = createAppHandler(options, "express");
  return (req, res) => handleNodeRequest(handler, req, res);
}
