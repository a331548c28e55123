/** HTTP written by hand onto sockets: requests that no client library would send, and the answers to them. */
import assert from "node:assert/strict";
import { connect } from "node:net";

export interface RawRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Longest an exchange may take, ms. */
const EXCHANGE_MS = 15_000;

/** Codes of answers of the 5xx range that say that all is well here. */
const HONEST_5XX = new Map([
  [501, "not_supported"],
  [502, "sync_failed"],
]);

/** The bytes of a request; it asks for the connection to be closed. */
export function requestBytes({ method, target, headers, body }: RawRequest): Buffer {
  const all: Record<string, string> = { host: "localhost", connection: "close", ...headers };
  if (body.length > 0 && !("transfer-encoding" in all)) all["content-length"] ??= String(body.length);
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"),
    body,
  ]);
}

/**
 * Send bytes, piece by piece, and read answers until the other side closes, or streams events.
 * @param hangUp close our side once all is sent, whatever the other one waits for
 */
export function exchange(
  port: number,
  pieces: Buffer | Buffer[],
  options: { pauseMs?: number; hangUp?: boolean } = {},
): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(`no end after ${EXCHANGE_MS} ms: ${Buffer.concat(chunks).toString("latin1", 0, 200)}`),
      );
    }, EXCHANGE_MS);
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      try {
        resolve(parseAnswers(Buffer.concat(chunks)));
      } catch (error) {
        reject(error);
      }
    };
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (chunks.length <= 3 && chunk.includes("content-type: text/event-stream")) finish();
    });
    socket.on("close", finish);
    // The other side may close while we still send; what it said before counts.
    socket.on("error", () => {});
    socket.on("connect", async () => {
      for (const piece of Array.isArray(pieces) ? pieces : [pieces]) {
        if (socket.destroyed) return;
        socket.write(piece);
        if (options.pauseMs !== undefined) await new Promise((next) => setTimeout(next, options.pauseMs));
      }
      if (options.hangUp === true) socket.end();
    });
  });
}

function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\r\n\r\n", at);
    assert.notEqual(end, -1, `half an answer: ${bytes.toString("latin1", at, at + 200)}`);
    const [start = "", ...lines] = bytes.toString("latin1", at, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1]);
    assert.ok(status >= 100, `not an answer: ${start.slice(0, 200)}`);
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(":");
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    at = end + 4;
    if (status < 200) continue;
    // Answers to HEAD announce a body that does not follow.
    const length = Math.min(Number(headers["content-length"] ?? bytes.length - at), bytes.length - at);
    answers.push({ status, headers, body: bytes.toString("utf8", at, at + length) });
    at += length;
  }
  return answers;
}

/** Hold an answer to the contract: no fault of the service, one shape of errors, nothing of its inside. */
export function assertHonest(answer: RawAnswer, method = "GET"): void {
  const { status, headers, body } = answer;
  const shown = `${status} ${JSON.stringify(headers)} ${body.slice(0, 500)}`;
  assert.ok(status < 500 || HONEST_5XX.has(status), shown);
  assert.doesNotMatch(body, /\n\s+at |node_modules|\/packages\/|\.ts:\d|node:internal|SQLITE|sqlite/, shown);
  if (status < 300 || method === "HEAD") return;
  assert.match(headers["content-type"] ?? "", /^application\/json/, shown);
  const parsed = JSON.parse(body) as Record<string, unknown>;
  assert.equal(typeof parsed.error, "string", shown);
  assert.match(String(parsed.code), /^[a-z_]+$/, shown);
  assert.equal(parsed.status, status, shown);
  if (status >= 500) assert.equal(parsed.code, HONEST_5XX.get(status), shown);
  // An error is for a person to read, so it must not give back what was sent by the megabyte.
  assert.ok(body.length < 4_096, `an error of ${body.length} bytes: ${shown}`);
}
