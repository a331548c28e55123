/** Requests from the app to the service, shown a bearer token in cloud mode. */
import { HEADER, hashSigningKey, headerName } from "@svc/protocol";
import { SdkError } from "./errors.ts";
import { requireBaseUrl, requireSigningKey, type Settings } from "./settings.ts";
import { type HttpAnswer, type Transport, unreachable } from "./transport.ts";
import { VERSION } from "./version.ts";

/** Speaks to the service's own endpoints (not to `/e/<key>`, which needs no bearer token). */
export interface ServiceApi {
  /**
   * Send a request. A 401 is tried once more with the fallback signing key. Resolves for every status;
   * rejects with an `SdkError` when no answer came.
   */
  request(
    method: "GET" | "POST",
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<HttpAnswer>;
}

/** Headers of every request to the service. */
export function baseHeaders(settings: Settings): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "user-agent": `svc-js:v${VERSION}`,
    [headerName("svc", HEADER.sdk)]: `js:v${VERSION}`,
  };
  if (settings.env) headers[headerName("svc", HEADER.env)] = settings.env;
  return headers;
}

/** Bind the requests to one client's settings. Keys are hashed once. */
export function createServiceApi(settings: Settings, transport: Transport): ServiceApi {
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (key: string): Promise<string> => {
    const token = tokens.get(key) ?? hashSigningKey(key);
    tokens.set(key, token);
    return token;
  };

  return {
    async request(method, path, body, extra) {
      const url = requireBaseUrl(settings) + path;
      const key = requireSigningKey(settings);
      const text = body === undefined ? undefined : JSON.stringify(body);
      const attempt = async (signingKey: string | undefined): Promise<HttpAnswer> => {
        const headers = { ...baseHeaders(settings), ...extra };
        if (signingKey !== undefined) headers.authorization = `Bearer ${await tokenOf(signingKey)}`;
        try {
          return await transport({ method, url, headers, body: text });
        } catch (cause) {
          throw new SdkError("service_unreachable", unreachable(url, cause), { cause });
        }
      };
      const answer = await attempt(key);
      if (answer.status !== 401 || key === undefined || settings.signingKeyFallback === undefined)
        return answer;
      return attempt(settings.signingKeyFallback);
    },
  };
}

/** The JSON body of a good answer; an `SdkError` with the service's own sentence for any other. */
export function readAnswer(answer: HttpAnswer, what: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(answer.text);
  } catch {}
  if (answer.ok && body !== undefined) return body;
  const sentence = (body as { error?: unknown } | undefined)?.error ?? answer.text.slice(0, 200);
  throw new SdkError("service_answer", `${what}: the service answered ${answer.status}: ${sentence}`);
}
