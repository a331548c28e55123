/** Making an app's functions known to the service. */
import { type FunctionConfig, HEADER, headerName, type SyncRequest } from "@svc/protocol";
import { readAnswer } from "../service-api.ts";
import { VERSION } from "../version.ts";
import type { App } from "./introspect.ts";

/** The registration, as it is posted to the service or answered to a signed in-band sync. */
export function inBandRegistration(app: App, functions: FunctionConfig[], url: string): SyncRequest {
  return {
    url,
    deployType: "ping",
    framework: app.framework,
    appName: app.appId,
    sdk: `js:v${VERSION}`,
    v: "0.1",
    functions,
    capabilities: {},
  };
}

/**
 * Register with the service.
 * @throws SdkError `service_answer` with the service's own sentence when it refuses
 */
export async function syncWithService(
  app: App,
  functions: FunctionConfig[],
  url: string,
  deployId: string | null,
): Promise<{ message: string; modified: boolean }> {
  const path = `/fn/register${deployId ? `?deployId=${encodeURIComponent(deployId)}` : ""}`;
  const response = await app.client.api.request("POST", path, inBandRegistration(app, functions, url), {
    [headerName("svc", HEADER.framework)]: app.framework,
    [headerName("svc", HEADER.syncKind)]: "out_of_band",
    [headerName("svc", HEADER.expectedServerKind)]: app.client.settings.mode,
  });
  const answer = readAnswer(response, "Sync failed") as { modified?: unknown };
  return { message: "Successfully registered", modified: answer.modified === true };
}
