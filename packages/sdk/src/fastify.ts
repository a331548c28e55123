/** `@svc/sdk/fastify`: serve functions from a Fastify app. */
import type { IncomingMessage } from "node:http";
import { createAppHandler, DEFAULT_SERVE_PATH, MAX_BODY_BYTES, type ServeOptions } from "./serve/handler.ts";
import { requestUrl } from "./serve/node-request.ts";

export type { ServeOptions } from "./serve/handler.ts";

/** The parts of Fastify that are used; Fastify itself is not a dependency. */
interface FastifyRequestLike {
  raw: IncomingMessage;
  method: string;
  body: unknown;
}

interface FastifyReplyLike {
  code(status: number): FastifyReplyLike;
  headers(headers: Record<string, string>): FastifyReplyLike;
  send(body: string): unknown;
}

interface FastifyLike {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    options: { parseAs: "string"; bodyLimit: number },
    parse: (request: unknown, body: string | Buffer, done: (error: null, body: unknown) => void) => void,
  ): unknown;
  route(route: {
    method: string[];
    url: string;
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>;
  }): unknown;
}

/**
 * A Fastify plugin that serves the functions at `/api/svc` (or `servePath`). Other routes keep their body
 * parsers: Fastify confines the plugin's own to its route.
 * @example await app.register(serve, { client, functions: [ship] });
 */
export async function serve(app: FastifyLike, options: ServeOptions): Promise<void> {
  const handler = createAppHandler(options, "fastify");
  // The signature covers the body as it was sent, so it must reach the handler unparsed.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string", bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
    done(null, String(body)),
  );
  app.route({
    method: ["GET", "PUT", "POST"],
    url: options.servePath ?? DEFAULT_SERVE_PATH,
    handler: async (request, reply) => {
      const response = await handler({
        method: request.method,
        url: requestUrl(request.raw),
        headers: request.raw.headers,
        body: typeof request.body === "string" ? request.body : "",
      });
      return reply.code(response.status).headers(response.headers).send(response.body);
    },
  });
}
