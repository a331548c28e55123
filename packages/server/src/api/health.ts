/** For load balancers and monitoring: `/health`, `/ready`, `/metrics`. */
import { hash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { bearerToken } from "../access/access.ts";
import { ServiceError } from "../errors.ts";
import { type Route, type RouteRequest, route } from "../http/route.ts";
import { METRICS_CONTENT_TYPE } from "../observe/metrics.ts";
import type { ApiParts } from "./parts.ts";

/** A store that takes longer to say that it is there is not ready for work. */
const READY_DEADLINE_MS = 2_000;

export function healthRoutes(
  parts: Pick<ApiParts, "config" | "store" | "clock" | "metrics" | "stopping">,
): Route[] {
  const { config, metrics } = parts;
  return [
    route({
      method: "GET",
      path: "/health",
      access: "open",
      handle: () => ({ body: { status: "ok" } }),
    }),
    route({
      method: "GET",
      path: "/ready",
      access: "open",
      async handle() {
        await requireReady(parts);
        return { body: { status: "ready" } };
      },
    }),
    route({
      method: "GET",
      path: "/metrics",
      access: "open",
      handle(request) {
        requireMetricsReader(request, config.metricsToken);
        return { headers: { "content-type": METRICS_CONTENT_TYPE }, body: metrics.render() };
      },
    }),
  ];
}

async function requireReady(parts: Pick<ApiParts, "store" | "clock" | "stopping">): Promise<void> {
  const { store, clock, stopping } = parts;
  if (stopping.aborted) throw new ServiceError("unavailable", "The service is stopping.");
  const { promise: late, resolve: giveUp } = Promise.withResolvers<"late">();
  const disarm = clock.after(READY_DEADLINE_MS, () => giveUp("late"));
  try {
    // In the executor's lane: a slow search of a user must not take the node out of service.
    const answered = store.query("ping", {}, "runs").then(
      () => "ready" as const,
      () => "failed" as const,
    );
    const outcome = await Promise.race([answered, late]);
    if (outcome !== "ready") throw new ServiceError("unavailable", "The store does not answer.");
  } finally {
    disarm();
  }
}

/** Metrics tell of the service's inside: a token opens them, and so does being on the same machine. */
function requireMetricsReader({ headers, response }: RouteRequest<unknown, unknown>, token: string | null) {
  const given = bearerToken(headers.authorization);
  if (token !== null && given !== undefined && isSameSecret(given, token)) return;
  // A proxy on this machine forwards from anywhere: then being local means nothing.
  const forwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  if (!forwarded && isLoopback(response.req.socket.remoteAddress ?? "")) return;
  throw new ServiceError(
    "unauthorized",
    "Metrics are for this machine, or for holders of the metrics token (SVC_METRICS_TOKEN).",
  );
}

function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, "");
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}
