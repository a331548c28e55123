/** One way to the API: addresses, credentials, errors in the API's own words. */
import { environment, serviceUrl } from "../place.ts";

/** Values of a query string; what is undefined or empty is left out. */
export type Query = Record<string, string | number | undefined>;

/** An answer that is not a success, or none at all. */
export class ApiError extends Error {
  /** HTTP status; 0 when nothing answered. */
  readonly status: number;
  readonly code: string;
  /** The parameter or part of the body that is wrong. */
  readonly field: string | undefined;
  /** Which event of several is wrong, from 0. */
  readonly index: number | undefined;

  constructor(status: number, code: string, sentence: string, field?: string, index?: number) {
    super(sentence);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.field = field;
    this.index = index;
  }
}

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: Query;
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal;
}

const TOKEN = "svc-api-token";

/** The API token of this browser tab; null when there is none and the session's cookie has to do. */
function apiToken(): string | null {
  return sessionStorage.getItem(TOKEN);
}

/** Keep an API token until the tab is closed; null forgets it. */
export function keepApiToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(TOKEN);
  else sessionStorage.setItem(TOKEN, token);
}

/**
 * Ask the API.
 * @returns the parsed answer; undefined when it has no body
 * @throws ApiError with the sentence of the API, or one that says that nothing answers
 * @example await request<One<Run>>("v1/runs/01KQ…")
 */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const answer = await send(path, options);
  const text = await answer.text();
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** Ask the API for an answer that is read bit by bit. @throws ApiError as `request` does */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = "GET", query = {}, body, signal } = options;
  const token = apiToken();
  let answer: Response;
  try {
    answer = await fetch(apiUrl(path, query), {
      method,
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "unreachable", "The service does not answer. It may be stopped or restarting.");
  }
  if (!answer.ok) throw await readError(answer);
  return answer;
}

/** @example apiUrl("v1/events", { limit: 50 }) // "http://localhost:8288/v1/events?limit=50" */
function apiUrl(path: string, query: Query = {}): string {
  const url = new URL(serviceUrl(path));
  const env = environment();
  // A page that shows several environments says itself which one it asks for.
  for (const [name, value] of Object.entries({ ...(env !== "" && { env }), ...query })) {
    if (value !== undefined && value !== "") url.searchParams.set(name, String(value));
  }
  return url.href;
}

async function readError(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  const sentence = typeof body.error === "string" ? body.error : `The service answered ${answer.status}.`;
  const field = typeof body.field === "string" ? body.field : undefined;
  const index = typeof body.index === "number" ? body.index : undefined;
  return new ApiError(answer.status, String(body.code ?? "unknown"), sentence, field, index);
}
