/** `@svc/sdk`: send events to svc, and write durable functions that run on them. */
export { Client, type ClientOptions } from "./client.ts";
export {
  NonRetriableError,
  RetryAfterError,
  SdkError,
  type SdkErrorCode,
  SendError,
  type SendErrorDetail,
  StepError,
} from "./errors.ts";
export {
  type EventSchemas,
  type EventToSend,
  eventType,
  type ReceivedEvent,
  type Sendable,
  type Trigger,
  type TriggeredEvent,
} from "./event-types.ts";
export type {
  FailureContext,
  FailureData,
  FunctionOptions,
  HandlerContext,
  SvcFunction,
} from "./function.ts";
export type { Jsonify } from "./json.ts";
export type { Logger } from "./logger.ts";
export type { ServeOptions } from "./serve/handler.ts";
export type { ConnectionOptions } from "./settings.ts";
export type {
  SchemaInput,
  SchemaIssue,
  SchemaOutput,
  SchemaResult,
  StandardSchema,
} from "./standard-schema.ts";
export type { StepId, StepTools } from "./step-tools.ts";
export { VERSION } from "./version.ts";
