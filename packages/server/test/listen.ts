/** Real HTTP servers on free ports of this machine. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface Listening {
  /** e.g. `http://127.0.0.1:40123` */
  origin: string;
  port: number;
  /** Requests so far: method and path. */
  requests: string[];
  close(): Promise<void>;
}

/** Listen on a free port, or on the given one. */
export async function listen(listener: RequestListener, port = 0): Promise<Listening> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
