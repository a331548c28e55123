/** Server-sent events of the API. Read with fetch: an EventSource can carry no API token. */
import { type Query, send } from "./request.ts";

export interface LiveOptions {
  path: string;
  query: Query;
  /** Told of each message's data, parsed, in the order they come. */
  onMessage(data: unknown): void;
  /** Told whether the stream is open. */
  onState(open: boolean): void;
}

/** Waits between tries to connect again, ms; the last one repeats. */
const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000];
/** A message longer than this is not one of ours, characters. */
const MAX_MESSAGE = 8 * 1024 * 1024;

/**
 * Watch a stream until told to stop; connects again whenever it breaks off.
 * @returns what ends it
 * @example const stop = watch({ path: "v1/events/stream", query: {}, onMessage, onState });
 */
export function watch({ path, query, onMessage, onState }: LiveOptions): () => void {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const connect = async () => {
    try {
      const answer = await send(path, { query, signal: abort.signal });
      failures = 0;
      onState(true);
      await readMessages(answer.body!, (data) => onMessage(JSON.parse(data)));
    } catch {
      // Broken off or refused: both are tried again.
    }
    if (abort.signal.aborted) return;
    onState(false);
    timer = setTimeout(connect, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
  };
  void connect();

  return () => {
    abort.abort();
    clearTimeout(timer);
  };
}

async function readMessages(body: ReadableStream<Uint8Array>, onData: (data: string) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop()!;
    if (rest.length > MAX_MESSAGE) throw new Error("a message without an end");
    for (const block of blocks) {
      const data = block
        .split("\n")
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trimStart());
      if (data.length > 0) onData(data.join("\n"));
    }
  }
}
