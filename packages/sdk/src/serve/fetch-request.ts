/** Between web-standard Request/Response and the neutral handler. */
import { SdkError } from "../errors.ts";
import { type AppHandler, adapterRefusal, MAX_BODY_BYTES } from "./handler.ts";

/** Handle a request. Never rejects. */
export async function handleFetchRequest(handler: AppHandler, request: Request): Promise<Response> {
  try {
    const headers: Record<string, string> = {};
    request.headers.forEach((value, name) => {
      headers[name] = value;
    });
    const body = request.body ? await readBody(request.body) : "";
    const response = await handler({ method: request.method, url: publicUrl(request), headers, body });
    return new Response(response.body, { status: response.status, headers: response.headers });
  } catch (error) {
    const { status, headers, body } = adapterRefusal(error instanceof SdkError ? error.code : "body_invalid");
    return new Response(body, { status, headers });
  }
}

async function readBody(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = "";
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > MAX_BODY_BYTES) {
      await reader.cancel();
      throw new SdkError("body_too_large");
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** The URL as its sender sees it: a proxy in front tells scheme and host. */
function publicUrl(request: Request): string {
  const url = new URL(request.url);
  const scheme = request.headers.get("x-forwarded-proto")?.split(",", 1)[0]?.trim();
  const host = request.headers.get("x-forwarded-host")?.split(",", 1)[0]?.trim();
  if (scheme === "http" || scheme === "https") url.protocol = scheme;
  if (host && URL.canParse(`http://${host}`)) {
    url.port = "";
    url.host = host;
  }
  return url.href;
}
