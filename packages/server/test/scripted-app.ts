/** An app whose every answer a test decides: real HTTP, the protocol written out by hand. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { CallRequest, Op } from "@svc/protocol";

export interface ReceivedCall {
  url: string;
  headers: IncomingHttpHeaders;
  body: CallRequest;
  /** Query parameter `stepId`. */
  stepId: string;
}

export interface ScriptedAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface ScriptedApp {
  url: string;
  calls: ReceivedCall[];
  close(): Promise<void>;
}

/** Serve `answer` for every call. Answers carry the headers of an SDK unless they say otherwise. */
export async function scriptedApp(
  answer: (call: ReceivedCall) => ScriptedAnswer | Promise<ScriptedAnswer>,
  dialect: "svc" | "inngest" = "svc",
): Promise<ScriptedApp> {
  const calls: ReceivedCall[] = [];
  const server: Server = createServer(async (req, res) => {
    let text = "";
    for await (const chunk of req) text += chunk;
    const url = req.url ?? "/";
    const stepId = new URL(url, "http://app").searchParams.get("stepId") ?? "";
    const call = { url, headers: req.headers, body: JSON.parse(text || "null"), stepId };
    calls.push(call);
    const { status, headers, body } = await answer(call);
    const sdk = { [`x-${dialect}-sdk`]: "scripted:v1", [`x-${dialect}-req-version`]: "2" };
    res.writeHead(status, { "content-type": "application/json", ...sdk, ...headers });
    res.end(typeof body === "string" ? body : JSON.stringify(body ?? null));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api/svc`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A `206` with these ops. */
export function steps(...ops: (Partial<Op> & { op: string; id: string })[]): ScriptedAnswer {
  return { status: 206, body: ops };
}

/** A `200`: the run is done. */
export function done(output: unknown): ScriptedAnswer {
  return { status: 200, body: JSON.stringify(output) };
}
