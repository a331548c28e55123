/** The API of a service, as far as webhooks as code need it. */
import * as z from "zod";
import { CommandFailure, plain } from "./failure.ts";
import { settingsSchema, webhookName } from "./manifest.ts";

export interface Address {
  /** Of the service: `https://svc.example.com`. */
  url: string;
  token: string | undefined;
  /** Name of the environment; undefined: the one of the token, or else production. */
  env: string | undefined;
  /** Longest wait for one answer, ms. */
  timeoutMs?: number;
}

const servedSchema = z.object({
  id: z.string().regex(/^[0-9A-Z]{26}$/),
  name: webhookName,
  environment: z.string().max(200),
  transform: z.string(),
  version: z.int(),
  ...settingsSchema.required().shape,
});

/** A webhook as the service has it. */
export type Served = z.infer<typeof servedSchema>;

const requestSchema = z.object({
  id: z.string().regex(/^[0-9A-Z]{26}$/),
  received_at: z.string(),
  status: z.string(),
  method: z.string(),
  query: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  body_encoding: z.enum(["utf8", "base64"]),
});

export type ServedRequest = z.infer<typeof requestSchema>;

const pageSchema = z.object({ cursor: z.string().nullable(), has_more: z.boolean() });

/** What is sent to create or to change a webhook. */
export type Change = z.infer<typeof settingsSchema> & { name?: string; transform?: string };

export interface Service {
  /** Every webhook of the environment, oldest first. */
  webhooks(): Promise<Served[]>;
  create(webhook: Change & { name: string; transform: string }): Promise<Served>;
  /** @param ifVersion another version in use is refused */
  update(id: string, change: Change, ifVersion: number): Promise<Served>;
  remove(id: string): Promise<void>;
  /** The last requests of a webhook, newest first. */
  requests(id: string, count: number): Promise<ServedRequest[]>;
}

/** A refusal of the service; `line` and `column` where code is at fault. */
export class ServiceRefusal extends CommandFailure {
  readonly status: number;
  readonly line: number | null;
  readonly column: number | null;

  constructor(sentence: string, status: number, line: number | null, column: number | null) {
    super(sentence);
    this.status = status;
    this.line = line;
    this.column = column;
  }
}

const TIMEOUT_MS = 20_000;
/** A page of 20 transforms of 256 KiB, with their escapes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const PER_PAGE = 20;
const MAX_WEBHOOKS = 5_000;

/** Speak to a service. Every failure is a CommandFailure with a sentence for the person at the keyboard. */
export function connect(address: Address): Service {
  const { token, env, timeoutMs = TIMEOUT_MS } = address;
  const base = address.url.replace(/\/+$/, "");

  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const url = new URL(base + path);
    if (env !== undefined) url.searchParams.set("env", env);
    let status: number;
    let text: string;
    try {
      const response = await fetch(url, {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // A token is for the address that was given, and for no other.
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      status = response.status;
      text = await boundedText(response);
    } catch (error) {
      throw error instanceof CommandFailure ? error : unreachable(base, error, timeoutMs);
    }
    if (status >= 200 && status < 300) return text === "" ? null : parse(base, text, status);
    if (status >= 300 && status < 400) {
      throw new CommandFailure(
        `${base} answered with a redirect (${status}): give the address it leads to with --url.`,
      );
    }
    const refusal = parse(base, text, status) as Record<string, unknown> | null;
    const sentence =
      typeof refusal?.error === "string" ? plain(refusal.error) : `The service answered ${status}.`;
    const hint = status === 401 ? " Set SVC_API_TOKEN, or pass --token." : "";
    throw new ServiceRefusal(sentence + hint, status, place(refusal?.line), place(refusal?.column));
  };
  const read = <T>(schema: z.ZodType<T>, value: unknown): T => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    throw new CommandFailure(
      `${base} answered with something this svc does not know: are both of the same version?`,
    );
  };

  return {
    async webhooks() {
      const found: Served[] = [];
      const schema = z.object({ data: z.array(servedSchema), page: pageSchema });
      for (let cursor: string | null = ""; cursor !== null && found.length < MAX_WEBHOOKS; ) {
        const from: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        const { data, page } = read(schema, await call("GET", `/v1/webhooks?limit=${PER_PAGE}${from}`));
        found.push(...data);
        cursor = page.has_more ? page.cursor : null;
      }
      return found.map((webhook) => ({ ...webhook, transform: webhook.transform.replaceAll("\r\n", "\n") }));
    },
    async create(webhook) {
      return read(one, await call("POST", "/v1/webhooks", webhook)).data;
    },
    async update(id, change, ifVersion) {
      return read(one, await call("PATCH", `/v1/webhooks/${id}`, { ...change, if_version: ifVersion })).data;
    },
    async remove(id) {
      await call("DELETE", `/v1/webhooks/${id}`);
    },
    async requests(id, count) {
      const list = await call("GET", `/v1/webhooks/${id}/requests?limit=${count}`);
      const { data } = read(z.object({ data: z.array(requestSchema.pick({ id: true })) }), list);
      const requests: ServedRequest[] = [];
      for (const each of data) {
        const answer = await call("GET", `/v1/webhooks/requests/${each.id}`);
        requests.push(read(z.object({ data: requestSchema }), answer).data);
      }
      return requests;
    },
  };
}

const one = z.object({ data: servedSchema });

function place(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new CommandFailure("The answer of the service is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(base: string, text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailure(
      `${base} answered ${status} with something that is not JSON: is it the address of svc?`,
    );
  }
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host cannot be looked up",
  ECONNRESET: "the connection broke",
  UND_ERR_SOCKET: "the connection broke",
};

function unreachable(base: string, error: unknown, timeoutMs: number): CommandFailure {
  if ((error as Error).name === "TimeoutError") {
    return new CommandFailure(`${base} did not answer within ${timeoutMs / 1_000} s.`);
  }
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  const reason = REASONS[cause?.code ?? ""] ?? cause?.message ?? (error as Error).message;
  return new CommandFailure(`${base} cannot be reached: ${plain(reason)}.`);
}
