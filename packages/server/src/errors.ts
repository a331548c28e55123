/**
 * Every error the service answers with: code, HTTP status and a sentence for a person. Throw
 * `new ServiceError(code, …)`; `http/` turns it into the one error body.
 */
export const ERRORS = {
  invalid_json: { status: 400, sentence: "The body is not valid JSON." },
  invalid_event: { status: 400, sentence: "The event is not valid." },
  invalid_request: { status: 400, sentence: "The request is not valid." },
  environment_required: {
    status: 400,
    sentence: "This key serves several environments: name one in x-svc-env.",
  },
  unauthorized: { status: 401, sentence: "The key is unknown or has been revoked." },
  forbidden: { status: 403, sentence: "This key may not do that." },
  ip_denied: { status: 403, sentence: "Requests from this address are not let in here." },
  not_found: { status: 404, sentence: "There is nothing here." },
  environment_not_found: { status: 404, sentence: "There is no such environment." },
  method_not_allowed: { status: 405, sentence: "This address does not take that method." },
  request_timeout: { status: 408, sentence: "The request took too long to arrive." },
  conflict: { status: 409, sentence: "That does not fit the present state." },
  stale_call: { status: 409, sentence: "This call is no longer the current one of its run." },
  payload_too_large: { status: 413, sentence: "The request is too large." },
  unsupported_encoding: { status: 415, sentence: "This content-encoding is not supported." },
  rate_limited: { status: 429, sentence: "Too many requests." },
  internal: { status: 500, sentence: "Something went wrong on our side; it has been logged." },
  not_supported: { status: 501, sentence: "This is not supported yet." },
  sync_failed: { status: 502, sentence: "The app could not be synced." },
  unavailable: { status: 503, sentence: "The service cannot store anything durably right now." },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Facts that go into the error body beside `error`, `code` and `status`. */
export interface ErrorDetail {
  /** Place of the bad event in its batch, from 0. */
  index?: number;
  /** Dotted path of the bad field. */
  field?: string;
  /** Seconds; also sent as the `retry-after` header. */
  retry_after?: number;
  [key: string]: unknown;
}

/**
 * An error with a place in the table above.
 * @example throw new ServiceError("invalid_event", "`name` must be a string.", { index: 2, field: "name" })
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, sentence?: string, detail: ErrorDetail = {}) {
    super(sentence ?? ERRORS[code].sentence);
    this.name = "ServiceError";
    this.code = code;
    this.status = ERRORS[code].status;
    this.detail = detail;
  }

  /** The one error body of every endpoint. */
  toJSON(): Record<string, unknown> {
    return { error: this.message, code: this.code, status: this.status, ...this.detail };
  }
}
