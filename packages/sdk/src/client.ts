/** The client: an app's identity and its way to the service. */
import { SdkError } from "./errors.ts";
import type { EventSchemas, Sendable, Trigger, TriggeredEvent } from "./event-types.ts";
import { defineFunction, type FunctionOptions, type HandlerContext, type SvcFunction } from "./function.ts";
import type { Logger } from "./logger.ts";
import { type Sender, sendEvents } from "./send.ts";
import { createServiceApi, type ServiceApi } from "./service-api.ts";
import { type ConnectionOptions, resolveSettings, type Settings } from "./settings.ts";
import { createTransport, type Fetch } from "./transport.ts";

export interface ClientOptions<S extends EventSchemas = EventSchemas> extends ConnectionOptions {
  /** Name of the app. Its functions are known as `<app>-<function>`. */
  id: string;
  /** Schemas of event data by event name (zod, valibot, arktype, …): types everywhere, checks in `send()`. */
  schemas?: S;
  /** Default: `console`. */
  logger?: Logger;
  /** Send what handlers write with their `logger` to the service, which shows it with the run. Default: true. */
  sendLogs?: boolean;
  /** Used for every request to the service. Default: the fastest way the runtime has. */
  fetch?: Fetch;
  /** Report steps while a call goes on; several steps then cost one call. Default: true. */
  checkpointing?: boolean;
  /** End a call after this many milliseconds and continue in the next. Default: 0, no bound. */
  maxRuntime?: number;
}

/** What the serving side needs of a client; not for users. */
export interface ClientInternals {
  settings: Settings;
  api: ServiceApi;
  sender: Sender;
  logger: Logger;
  sendLogs: boolean;
  checkpointing: boolean;
  maxRuntime: number;
}

/** Keeps internals off the public type, and reachable from the other modules of this package. */
const internalsOf = new WeakMap<object, ClientInternals>();

/**
 * Sends events and defines functions. Create one per app and share it.
 * @example
 * export const client = new Client({ id: "shop" });
 * await client.send({ name: "shop/order.created", data: { orderId: "42" } });
 */
export class Client<const S extends EventSchemas = EventSchemas> {
  /** Name of the app. */
  readonly id: string;

  /** @throws SdkError when an option is malformed; what is merely missing is reported when it is needed. */
  constructor(options: ClientOptions<S>) {
    if (typeof options?.id !== "string" || !options.id.trim()) throw new SdkError("app_id_missing");
    this.id = options.id;
    const settings = resolveSettings(options);
    const transport = createTransport(options.fetch);
    internalsOf.set(this, {
      settings,
      api: createServiceApi(settings, transport),
      sender: { settings, transport, schemas: options.schemas },
      logger: options.logger ?? console,
      sendLogs: options.sendLogs ?? true,
      checkpointing: options.checkpointing ?? true,
      maxRuntime: options.maxRuntime ?? 0,
    });
  }

  /**
   * Send one event or several; a batch is accepted as a whole or not at all, and is never split.
   * Network errors, 429 and 5xx are tried again (5 tries, honouring `retry-after`) under the same event ids,
   * so nothing is sent twice. An empty array resolves to no ids without a request.
   * @returns the events' ids, in order
   * @throws SendError when the service refuses the events or cannot be reached
   * @throws SdkError when a key, the address, or an event's data is not as it must be
   * @example const { ids } = await client.send({ name: "shop/order.created", data: { orderId: "42" } });
   */
  send(events: Sendable<S> | Sendable<S>[]): Promise<{ ids: string[] }> {
    return sendEvents(internals(this).sender, events);
  }

  /**
   * Define a function that runs for every event of a name.
   * @throws SdkError when the definition is not complete
   * @example
   * client.createFunction({ id: "ship" }, { event: "shop/order.created" }, async ({ event, step }) => {
   *   await step.run("pack", () => pack(event.data.orderId));
   * });
   */
  createFunction<const T extends Trigger<S> | readonly Trigger<S>[]>(
    options: FunctionOptions<TriggeredEvent<S, T>, S>,
    trigger: T,
    handler: (context: HandlerContext<TriggeredEvent<S, T>, S>) => unknown,
  ): SvcFunction {
    // The types are the user's; at run time the service's event is passed on as it came.
    return defineFunction(
      this.id,
      options as unknown as FunctionOptions,
      trigger as Trigger | readonly Trigger[],
      handler as unknown as (context: HandlerContext) => unknown,
    );
  }
}

/** The internals of a client, for the other modules of this package. */
export function internals(client: object): ClientInternals {
  const found = internalsOf.get(client);
  if (!found)
    throw new SdkError("app_id_missing", "`client` must be a Client made with `new Client({ id })`.");
  return found;
}
