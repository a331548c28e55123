/**
 * Every error of the SDK: one table of codes for what can be set up or used wrongly, and the classes that
 * functions throw or catch.
 */
import { parseDuration, parseMoment, type WireError } from "@svc/protocol";

const ERRORS = {
  app_id_missing: "new Client({ id }) needs an `id`: the name of your app, as a non-empty string.",
  base_url_missing:
    "No address of the svc service is known. Set SVC_BASE_URL (or `new Client({ baseUrl })`) to your own service, or SVC_DEV=1 to use the local dev server.",
  base_url_invalid: "The address of the svc service must be an http or https URL.",
  event_key_missing:
    "No event key is set. Set SVC_EVENT_KEY (or `new Client({ eventKey })`), or SVC_DEV=1 to send to the local dev server, which needs none.",
  signing_key_missing:
    "No signing key is set. Set SVC_SIGNING_KEY (or `new Client({ signingKey })`), or SVC_DEV=1 to work with the local dev server, which needs none.",
  signing_key_invalid: "The signing key must be hex digits, or `signkey-<environment>-` and hex digits.",
  fetch_missing: "This runtime has no fetch(): pass one as `new Client({ fetch })`.",
  event_invalid: "The event is not valid.",
  event_data_invalid: "The event's data does not fit its schema.",
  not_serialisable: "The value cannot be turned into JSON.",
  function_id_missing: "createFunction() needs an `id`: a non-empty string, unique in the app.",
  function_id_duplicate: "Two functions have the same id.",
  trigger_missing: "createFunction() needs at least one trigger: an event name or `{ event }`.",
  retries_invalid: "`retries` must be a whole number from 0 to 20.",
  step_id_missing: "A step needs an id: a non-empty string as its first argument.",
  step_function_missing: "step.run() needs a function as its second argument.",
  step_nested: "Steps cannot be nested: a step was started inside another step's function.",
  sleep_invalid: "The time to sleep is not valid.",
  signature_invalid: "The request is not signed by the service.",
  body_too_large: "The request body is too large.",
  body_invalid: "The request body is not a call of the service.",
  method_not_allowed: "This address takes GET, PUT and POST.",
  not_found: "There is nothing here.",
  function_unknown: "This app has no function of that id.",
  service_unreachable: "The service could not be reached.",
  internal: "Something went wrong inside the SDK; the app's log has more.",
  service_answer: "The service answered with an error.",
} as const;

/** Names of everything that can be wrong with how the SDK is set up or used. */
export type SdkErrorCode = keyof typeof ERRORS;

/**
 * An error in how the SDK is set up or used. `code` is stable, `message` is for people.
 * @example
 * try { await client.send(event) } catch (error) {
 *   if (error instanceof SdkError && error.code === "event_key_missing") …
 * }
 */
export class SdkError extends Error {
  readonly code: SdkErrorCode;

  constructor(code: SdkErrorCode, sentence?: string, options?: ErrorOptions) {
    super(sentence ?? ERRORS[code], options);
    this.name = "SdkError";
    this.code = code;
  }
}

/** The facts of a refused or failed send. */
export interface SendErrorDetail {
  /** HTTP status; absent when no answer came. */
  status?: number | undefined;
  /** The service's error code, or `network` when no answer came. */
  code: string;
  /** Place of the offending event in the batch, from 0. */
  index?: number | undefined;
  /** Dotted path of the offending field. */
  field?: string | undefined;
  /** Seconds after which the service is worth another try. */
  retryAfter?: number | undefined;
}

/** Sending events failed for good: the service refused them, or all tries were used up. */
export class SendError extends Error {
  readonly status: number | undefined;
  readonly code: string;
  readonly index: number | undefined;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, detail: SendErrorDetail, options?: ErrorOptions) {
    super(message, options);
    this.name = "SendError";
    this.status = detail.status;
    this.code = detail.code;
    this.index = detail.index;
    this.field = detail.field;
    this.retryAfter = detail.retryAfter;
  }
}

/**
 * Throw this in a step or a function to fail it at once, without further attempts.
 * @example throw new NonRetriableError("There is no such user", { cause: error })
 */
export class NonRetriableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "NonRetriableError";
  }
}

/**
 * Throw this in a step or a function to choose when the next attempt happens.
 * @example throw new RetryAfterError("Rate limited", "30s")
 * @example throw new RetryAfterError("Closed until Monday", new Date("2030-01-07T08:00:00Z"))
 */
export class RetryAfterError extends Error {
  /** Value of the `retry-after` header: whole seconds, or an ISO 8601 date. */
  readonly retryAfter: string;

  /** @param retryAfter milliseconds, a time string such as `30s`, or the moment itself */
  constructor(message: string, retryAfter: number | string | Date, options?: ErrorOptions) {
    super(message, options);
    this.name = "RetryAfterError";
    this.retryAfter = retryAfterHeader(retryAfter);
  }
}

/**
 * A step failed and will not be tried again. It is thrown from the step's promise, so `try`/`catch` works;
 * `name` and `message` are those of the error that the step threw, `cause` has its stack.
 */
export class StepError extends Error {
  /** The id given to the step. */
  readonly stepId: string;

  constructor(stepId: string, error: WireError) {
    super(error.message, { cause: error });
    this.name = error.name || "StepError";
    this.stepId = stepId;
    if (error.stack) this.stack = error.stack;
  }
}

function retryAfterHeader(value: number | string | Date): string {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  const moment = value instanceof Date ? undefined : parseMoment(value, 0);
  if (moment === undefined) {
    throw new TypeError("RetryAfterError needs milliseconds, a time string such as `30s`, or a valid date.");
  }
  // A date string parses to a moment, a time string to a length counted from 0.
  if (typeof value === "string" && parseDuration(value) === undefined) return new Date(moment).toISOString();
  return String(Math.ceil(moment / 1000));
}
