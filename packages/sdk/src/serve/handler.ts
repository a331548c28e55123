/**
 * The app's endpoint, in a form every framework can be brought to: a request with a text body in, a response
 * with a text body out. GET tells what is here, PUT syncs, POST runs a function.
 */
import { type CallRequest, HEADER, headerName, readHeader, signBody, WHOLE_FUNCTION } from "@svc/protocol";
import { callFunction } from "../call.ts";
import { type Client, internals } from "../client.ts";
import { SdkError, type SdkErrorCode } from "../errors.ts";
import { functionConfigs, type SvcFunction } from "../function.ts";
import { VERSION } from "../version.ts";
import { introspect } from "./introspect.ts";
import { inBandRegistration, syncWithService } from "./sync.ts";
import { checkSignature, isSigned } from "./verify.ts";

/** Where the endpoint is when nothing else is said. */
export const DEFAULT_SERVE_PATH = "/api/svc";

/** Calls stay below 4 MB, larger state is fetched; anything far beyond is not from the service. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

export interface ServeOptions {
  // biome-ignore lint/suspicious/noExplicitAny: clients of every schema type are served alike
  client: Client<any>;
  /** The functions of this app. */
  functions: readonly SvcFunction[];
  /** Path under which the service reaches this endpoint. Default: that of the request, or `/api/svc`. */
  servePath?: string;
  /** Scheme, host and port under which the service reaches this app, such as `https://shop.example.com`. Default: `SVC_SERVE_ORIGIN`, or that of the request. */
  serveOrigin?: string;
}

export interface AppRequest {
  method: string;
  /** Absolute, as far as the framework knows. */
  url: string;
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** The body as received, or as parsed by the framework when the text is gone. */
  body: string | object;
}

export interface AppResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type AppHandler = (request: AppRequest) => Promise<AppResponse>;

/** Statuses of the endpoint's own refusals; anything else thrown is a 500. */
const STATUS: Partial<Record<SdkErrorCode, number>> = {
  signature_invalid: 401,
  body_invalid: 400,
  body_too_large: 413,
  method_not_allowed: 405,
  not_found: 404,
  function_unknown: 404,
  service_answer: 502,
  service_unreachable: 502,
};

/**
 * The endpoint of an app.
 * @param framework name of the adapter, told to the service
 * @throws SdkError when two functions share an id
 */
export function createAppHandler(options: ServeOptions, framework: string): AppHandler {
  const client = internals(options.client);
  const appId = options.client.id;
  const serveOrigin = options.serveOrigin ?? client.settings.serveOrigin;
  const functions = indexFunctions(appId, options.functions);
  const app = { appId, framework, client, functions: [...functions.values()] };
  const fixedHeaders = {
    "content-type": "application/json",
    [headerName("svc", HEADER.sdk)]: `js:v${VERSION}`,
    [headerName("svc", HEADER.framework)]: framework,
    [headerName("svc", HEADER.requestVersion)]: "2",
  };

  /**
   * Without `serveOrigin` the address to register is the one the request was sent to, which anyone can make up
   * in a Host header. So in cloud mode only the service itself may then ask for a sync.
   */
  const checkSyncOrigin = async (request: AppRequest): Promise<void> => {
    if (serveOrigin !== undefined || (await isSigned(client.settings, request))) return;
    throw new SdkError(
      "signature_invalid",
      "An unsigned sync needs SVC_SERVE_ORIGIN (or the `serveOrigin` option of serve()): the address under which the service reaches this app, such as https://shop.example.com.",
    );
  };

  const route = async (request: AppRequest): Promise<AppResponse> => {
    const { method, headers } = request;
    const url = new URL(request.url);
    if (method === "GET") {
      return json(200, introspect(app, await isSigned(client.settings, request)));
    }
    if (method === "PUT") {
      await checkSyncOrigin(request);
      const appUrl = new URL(options.servePath ?? url.pathname, serveOrigin ?? url.origin).href;
      if (readHeader(headers, HEADER.syncKind) === "in_band") {
        await checkSignature(client.settings, request);
        const registration = inBandRegistration(app, functionConfigs(appId, app.functions, appUrl), appUrl);
        return json(200, registration, { [headerName("svc", HEADER.syncKind)]: "in_band" });
      }
      const configs = functionConfigs(appId, app.functions, appUrl);
      return json(200, await syncWithService(app, configs, appUrl, url.searchParams.get("deployId")));
    }
    if (method !== "POST") throw new SdkError("method_not_allowed");
    await checkSignature(client.settings, request);
    const fnId = url.searchParams.get("fnId") ?? "";
    const fn = functions.get(fnId);
    if (!fn)
      throw new SdkError("function_unknown", `This app (${appId}) has no function "${fnId}". Sync it again.`);
    const answer = await callFunction(
      client,
      fn,
      readCall(request.body),
      url.searchParams.get("stepId") || WHOLE_FUNCTION,
      headers[headerName("svc", HEADER.logs)] === "1",
    );
    return answer;
  };

  return async (request) => {
    let response: AppResponse;
    try {
      response = await route(request);
    } catch (error) {
      if (!(error instanceof SdkError)) client.logger.error("svc: a request could not be handled:", error);
      response = refusal(error);
    }
    const headers: Record<string, string> = { ...fixedHeaders, ...response.headers };
    // Unsigned when the key is missing: the body then says that it is.
    if (client.settings.mode === "cloud" && client.settings.signingKey) {
      const name = headerName("svc", HEADER.signature);
      headers[name] = await signBody(response.body, client.settings.signingKey, Date.now());
    }
    return { status: response.status, headers, body: response.body };
  };
}

function indexFunctions(appId: string, functions: readonly SvcFunction[]): Map<string, SvcFunction> {
  const index = new Map<string, SvcFunction>();
  for (const fn of functions.flatMap((each) => (each.failure ? [each, each.failure] : [each]))) {
    const id = `${appId}-${fn.id}`;
    if (index.has(id)) throw new SdkError("function_id_duplicate", `Two functions have the id "${fn.id}".`);
    index.set(id, fn);
  }
  return index;
}

function readCall(body: string | object): CallRequest {
  let call: unknown = body;
  if (typeof body === "string") {
    try {
      call = JSON.parse(body);
    } catch (cause) {
      throw new SdkError("body_invalid", undefined, { cause });
    }
  }
  const { ctx, event } = (call ?? {}) as Partial<CallRequest>;
  if (typeof ctx?.run_id !== "string" || typeof event !== "object") throw new SdkError("body_invalid");
  return call as CallRequest;
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): AppResponse {
  return { status, headers, body: JSON.stringify(body) };
}

/** A refusal is never the user's code failing, so the service may always try again. */
function refusal(error: unknown): AppResponse {
  const { name, message, code } = error instanceof SdkError ? error : new SdkError("internal");
  return json(STATUS[code] ?? 500, { name, message, code }, { [headerName("svc", HEADER.noRetry)]: "false" });
}

/** A refusal made by an adapter before there is a request to route. */
export function adapterRefusal(code: SdkErrorCode, message?: string): AppResponse {
  const response = refusal(new SdkError(code, message));
  response.headers["content-type"] = "application/json";
  response.headers[headerName("svc", HEADER.sdk)] = `js:v${VERSION}`;
  return response;
}
