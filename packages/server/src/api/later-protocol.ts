/** Addresses of the SDK protocol that this release does not serve: clients that ask are told so. */
import { ServiceError } from "../errors.ts";
import { type Route, route } from "../http/route.ts";

const ADDRESSES: [method: "GET" | "POST", path: string][] = [
  ["POST", "/v1/signals"],
  ["GET", "/v1/realtime/*"],
  ["POST", "/v1/realtime/*"],
  ["POST", "/v1/traces/userland"],
  ["POST", "/v1/checkpoint"],
  ["POST", "/v1/checkpoint/:run_id/steps"],
  ["POST", "/v1/checkpoint/:run_id/stream"],
];

export function laterProtocolRoutes(): Route[] {
  return ADDRESSES.map(([method, path]) =>
    route({
      method,
      path,
      access: "open",
      handle() {
        throw new ServiceError("not_supported");
      },
    }),
  );
}
