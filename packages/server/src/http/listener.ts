/** The HTTP server: its limits, its answer to what is not HTTP, its graceful end. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { ServiceError } from "../errors.ts";
import type { Logger } from "../observe/log.ts";
import { withoutBasePath } from "./dashboard.ts";
import { sendError } from "./errors.ts";
import type { Router } from "./router.ts";

export interface ListenerParts {
  /** The hot path, asked first. @returns whether it has taken the request */
  hot(req: IncomingMessage, res: ServerResponse): boolean;
  router: Router;
  logger: Logger;
  /** Path under which a proxy shows the service, with a slash at both ends; `/` if not given. */
  basePath?: string;
  /** Told of requests that could not be read as HTTP. */
  metrics?: { malformed(): void };
}

export interface Listener {
  server: Server;
  /** Bind; rejects with a sentence when that is not possible. @returns the port, also when 0 was asked for */
  listen(port: number, host: string): Promise<number>;
  /**
   * Take no more connections, finish the requests in progress, close the rest.
   * @param deadlineMs after this, what is still open is cut
   */
  close(deadlineMs: number): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 20_000;
/** A whole request, body included: 512 KiB in a minute is a very slow line. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Above the 60 s of common load balancers, so that it is they who close: else a request can meet a closed line. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const MAX_HEADER_BYTES = 16 * 1024;
const SLASH = 0x2f;
/** How often connections are looked at that fall idle while the listener closes. */
const CLOSE_CHECK_MS = 20;

/** Make the server; nothing is bound before `listen`. */
export function createListener(parts: ListenerParts): Listener {
  const { hot, router, logger, metrics, basePath = "/" } = parts;
  let closing: Promise<void> | undefined;

  const take = (req: IncomingMessage, res: ServerResponse): void => {
    if (closing !== undefined) res.setHeader("connection", "close");
    if (req.headers.host === undefined && req.httpVersion === "1.1") {
      res.setHeader("connection", "close");
      sendError(res, new ServiceError("invalid_request", "The request names no host."), logger);
      return;
    }
    // The form that proxies are sent; servers have to take it too (RFC 9112, 3.2.2).
    if (req.url!.charCodeAt(0) !== SLASH) req.url = req.url!.replace(/^https?:\/\/[^/?#]*/i, "") || "/";
    // Proxies take the prefix off or leave it: both are understood.
    if (basePath !== "/") req.url = withoutBasePath(req.url!, basePath);
    if (!hot(req, res)) void router(req, res);
  };
  const server = createServer(
    {
      // Refused by `take`, with a body like every other error.
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    take,
  );
  // Whatever else a client expects (RFC 9110, 10.1.1, lets us ignore it), it gets a whole answer.
  server.on("checkExpectation", take);
  server.on("connect", (_req: IncomingMessage, socket: Socket) => {
    answerBare(socket, new ServiceError("method_not_allowed", "This is not a proxy."));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    metrics?.malformed();
    refuse(error, socket);
  });

  return {
    server,
    listen(port, host) {
      return new Promise((resolve, reject) => {
        const failed = (error: NodeJS.ErrnoException) => reject(bindError(error, port, host));
        server.once("error", failed);
        server.listen(port, host, () => {
          server.off("error", failed);
          server.on("error", (error) => logger.error("listener failed", { error }));
          resolve((server.address() as AddressInfo).port);
        });
      });
    },
    close(deadlineMs) {
      closing ??= new Promise((resolve) => {
        const idle = setInterval(() => server.closeIdleConnections(), CLOSE_CHECK_MS);
        const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
        server.close(() => {
          clearInterval(idle);
          clearTimeout(deadline);
          resolve();
        });
        server.closeIdleConnections();
      });
      return closing;
    },
  };
}

/** Answer what is not a readable request, if the other side is still there. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  const answering = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
  // A connection that broke, or one on which an answer is under way: there is no place for an answer of ours.
  if (error.code === "ECONNRESET" || !socket.writable || answering?.headersSent === true) {
    socket.destroy();
    return;
  }
  // The request before this one was whole and is worked on: what we said now would pass for its answer.
  if (answering?.req.complete === true) {
    answering.setHeader("connection", "close");
    return;
  }
  const late = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  answerBare(socket, new ServiceError(late ? "request_timeout" : "invalid_request", sentenceFor(error.code)));
}

/** Answer on a connection that has no response object, and end it. */
function answerBare(socket: Socket, error: ServiceError): void {
  const body = JSON.stringify(error);
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function sentenceFor(code: string | undefined): string {
  if (code === "HPE_HEADER_OVERFLOW") return "The headers are larger than 16 KiB.";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "The request took too long to arrive.";
  return "This is not a readable HTTP request.";
}

function bindError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === "EADDRINUSE") {
    return sentence(
      `Port ${port} is in use. Stop what listens there, or choose another one with --port.`,
      error,
    );
  }
  if (error.code === "EACCES") return sentence(`Port ${port} may not be opened by this user.`, error);
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return sentence(`${host} is not an address of this machine: choose another one with --host.`, error);
  }
  return error;
}

/** The error in words for a person; its code and system call stay. */
function sentence(message: string, { code, syscall }: NodeJS.ErrnoException): Error {
  return Object.assign(new Error(message), { code, syscall });
}
