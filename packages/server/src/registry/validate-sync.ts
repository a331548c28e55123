/** Reads the registration of an app and refuses what could not work, naming function and field. */
import type { FunctionConfig, SyncRequest } from "@svc/protocol";
import * as z from "zod";
import { ServiceError } from "../errors.ts";
import { isDeeperThan } from "../nesting.ts";
import { functionSchema, httpUrl, idText, SYNC_LIMITS } from "./function-schema.ts";

const requestSchema = z.object({
  url: httpUrl,
  appName: z.string().trim().pipe(idText),
  framework: z.string().max(SYNC_LIMITS.idLength).nullish(),
  sdk: z.string().max(SYNC_LIMITS.idLength).nullish(),
  functions: z.array(z.unknown()).max(SYNC_LIMITS.functions),
  capabilities: z.record(z.string().max(100), z.unknown()).nullish(),
});

/** Longest that reading a sync keeps everything else waiting, ms. */
const SLICE_MS = 10;

/**
 * Read the body of a sync. Functions stay as they were sent; other unknown fields are dropped. It is done in slices:
 * expressions and schedules have to be compiled, and those of a thousand functions take a second.
 * @throws {ServiceError} `invalid_request` with `function` and `field` in its detail
 */
export async function parseSync(body: unknown): Promise<SyncRequest> {
  const reading = readSync(body);
  for (let began = performance.now(); ; ) {
    const { done, value } = reading.next();
    if (done) return value;
    if (performance.now() - began < SLICE_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    began = performance.now();
  }
}

/** Yields after each function. */
function* readSync(body: unknown): Generator<undefined, SyncRequest> {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) {
    const { field, sentence } = describe(parsed.error);
    throw new ServiceError("invalid_request", `The sync cannot be read: ${sentence}.`, { field });
  }
  const { url, appName, framework, sdk, functions, capabilities } = parsed.data;
  const ids = new Set<string>();
  let expressions = 0;
  for (const [index, fn] of functions.entries()) {
    const { id, triggers } = checkFunction(fn, index);
    expressions += triggers.filter(({ expression }) => expression).length;
    if (expressions > SYNC_LIMITS.expressions) {
      throw new ServiceError(
        "invalid_request",
        `The sync cannot be read: its triggers have more than ${SYNC_LIMITS.expressions} expressions together.`,
        { field: "functions" },
      );
    }
    if (ids.has(id)) {
      throw new ServiceError("invalid_request", `The function id "${id}" is there twice; ids must differ.`, {
        function: id,
        field: "id",
      });
    }
    ids.add(id);
    yield;
  }
  const request: SyncRequest = {
    url,
    deployType: "ping",
    appName,
    sdk: sdk ?? "",
    v: "0.1",
    functions: functions as FunctionConfig[],
  };
  if (framework) request.framework = framework;
  if (capabilities) request.capabilities = capabilities as Record<string, string>;
  return request;
}

/**
 * Read the registration that an app gave as its answer to an in-band sync: the same facts, where the app's id
 * is called `app_id`.
 * @throws {ServiceError} as {@link parseSync} does
 */
export function parseInBandSync(body: unknown): Promise<SyncRequest> {
  const { app_id, ...rest } = (body ?? {}) as Record<string, unknown>;
  return parseSync({ ...rest, appName: rest.appName ?? app_id });
}

function checkFunction(fn: unknown, index: number): z.infer<typeof functionSchema> {
  const parsed = functionSchema.safeParse(fn);
  const given = (fn as { id?: unknown } | null)?.id;
  const id = typeof given === "string" && given !== "" ? given.slice(0, SYNC_LIMITS.idLength) : `#${index}`;
  if (!parsed.success) {
    const { field, sentence } = describe(parsed.error);
    throw new ServiceError("invalid_request", `The function "${id}" cannot be registered: ${sentence}.`, {
      function: id,
      field,
    });
  }
  const fault = sizeFault(fn);
  if (fault !== undefined) {
    throw new ServiceError(
      "invalid_request",
      `The function "${id}" cannot be registered: its configuration ${fault}.`,
      { function: id, field: "" },
    );
  }
  return parsed.data;
}

function sizeFault(config: unknown): string | undefined {
  if (isDeeperThan(config, SYNC_LIMITS.configDepth)) return "is nested too deep";
  return JSON.stringify(config).length > SYNC_LIMITS.configLength ? "is larger than 128 KiB" : undefined;
}

/** The first fault as a part of a sentence. */
function describe(error: z.ZodError): { field: string; sentence: string } {
  let issue = error.issues[0]!;
  let path = issue.path;
  // A union reports one list of faults per member; the last member is the fuller form.
  while (issue.code === "invalid_union" && issue.errors.length > 0) {
    issue = issue.errors.at(-1)![0]!;
    path = [...path, ...issue.path];
  }
  const field = path.join(".").slice(0, 200);
  const message = issue.message
    .replace(/^(Invalid input|Too small|Too big): /, "")
    .replace(/^expected \w+ to (be|have) /, "must $1 ")
    .replace(/^expected (.+), received (.+)$/, "must be $1, not $2")
    .replace(/^expected /, "must be ")
    .replace(/\.$/, "");
  return {
    field,
    sentence: field === "" ? message : `\`${field}\` ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
  };
}
