/** `/v1/apps`: the apps that have registered functions here. */
import * as z from "zod";
import { ServiceError } from "../errors.ts";
import { type Route, route } from "../http/route.ts";
import type { AppChange, AppRecord } from "../store/records.ts";
import { isoTime, one, pageOf, toIso } from "./answers.ts";
import { pageById } from "./functions.ts";
import { idCursor, limitParameter } from "./parameters.ts";
import type { ApiParts } from "./parts.ts";

const changeSchema = z
  .object({
    at: isoTime,
    added: z.array(z.string()).describe("Ids of functions, the first 50."),
    changed: z.array(z.string()),
    removed: z.array(z.string()),
    counts: z.object({ added: z.int(), changed: z.int(), removed: z.int() }).describe("How many in all."),
  })
  .meta({ id: "AppChange" });

const appSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    sdk: z.string(),
    framework: z.string().nullable(),
    function_count: z.int(),
    created_at: isoTime,
    synced_at: isoTime,
    error: z.string().nullable().describe("Why the last sync failed; null when it went well."),
    last_change: changeSchema.nullable().describe("The last sync that changed anything."),
  })
  .meta({ id: "App" });

const addressSchema = z
  .object({
    url: z.string(),
    source: z.enum(["configured", "discovered", "synced"]),
    state: z.enum(["waiting", "connected", "lost"]),
    error: z.string().nullable(),
    app_id: z.string().nullable(),
    tried_at: isoTime.nullable(),
  })
  .meta({ id: "AppAddress" });

const scanSchema = z
  .object({ ports: z.array(z.int()), paths: z.array(z.string()), interval_ms: z.int() })
  .meta({ id: "AppScan" });

export function appRoutes({ registry, operations }: Pick<ApiParts, "registry" | "operations">): Route[] {
  const describe = (app: AppRecord, functionCount: number) => ({
    id: app.id,
    url: app.url,
    sdk: app.sdk,
    framework: app.framework,
    function_count: functionCount,
    created_at: toIso(app.created_at),
    synced_at: toIso(app.synced_at),
    error: app.error,
    last_change: describeChange(app.last_change),
  });

  return [
    route({
      method: "GET",
      path: "/v1/apps",
      access: "api",
      permission: "read",
      summary: "List apps, by id",
      query: z.object({ limit: limitParameter, cursor: idCursor }),
      response: pageOf(appSchema).extend({
        addresses: z.array(addressSchema).describe("Where apps are, were or should be."),
        scan: scanSchema.nullable().describe("Where `svc dev` looks for more; null when it does not."),
      }),
      handle({ env, query }) {
        const counts = new Map<string, number>();
        for (const { appId } of registry.functions(env)) counts.set(appId, (counts.get(appId) ?? 0) + 1);
        const apps = registry.apps(env).map((app) => describe(app, counts.get(app.id) ?? 0));
        const addresses = operations
          .discoveryState(env)
          .map((address) => ({ ...address, tried_at: toIso(address.tried_at) }));
        const looked = operations.discoveryScan(env);
        const scan = looked && { ports: looked.ports, paths: looked.paths, interval_ms: looked.intervalMs };
        return { body: { ...pageById(apps, query.cursor, query.limit), addresses, scan } };
      },
    }),
    route({
      method: "POST",
      path: "/v1/apps",
      access: "api",
      permission: "manage",
      summary: "Sync the app at an address",
      description: "`sync_failed` says why an app cannot be synced.",
      body: z.object({
        url: z.url({ protocol: /^https?$/, error: "expected an http or https URL" }).max(2_000),
      }),
      maxBodyBytes: 16 * 1024,
      response: one(appSchema.extend({ modified: z.boolean().describe("Whether its functions changed.") })),
      async handle({ env, environment, body }) {
        if (environment.type === "branches") {
          throw new ServiceError(
            "environment_required",
            "An app belongs to one branch: name it in x-svc-env.",
          );
        }
        const { app, modified } = await operations.syncUrl(env, body.url);
        const functions = registry.functions(env).filter((fn) => fn.appId === app.id);
        return { body: { data: { ...describe(app, functions.length), modified } } };
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/apps/:id",
      access: "api",
      permission: "manage",
      summary: "Archive an app and its functions",
      description: "Their queued runs are cancelled. The app comes back when it syncs again.",
      async handle({ env, params }) {
        if (!(await operations.archiveApp(env, params.id ?? ""))) {
          throw new ServiceError("not_found", "There is no such app.");
        }
        return {};
      },
    }),
  ];
}

function describeChange(json: string | null) {
  if (json === null) return null;
  const change = JSON.parse(json) as AppChange;
  return { ...change, at: toIso(change.at) };
}
