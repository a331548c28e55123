/** Apps that answer as no app should: each run ends or is tried again, with a sentence, and the service stays well. */
import assert from "node:assert/strict";
import { createServer, type Server, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { MAX_HEALTH_MS } from "../http/hostile-target.ts";
import { type ServiceProcess, startServiceProcess } from "../service-process.ts";

/** What an app does with the connection of a call; `say` sends an answer's head and body. */
type Misdeed = (
  socket: Socket,
  say: (status: number, body: string | Buffer, headers?: string) => void,
) => void;

/** Ops as an SDK would send them, and what is wrong with them. */
const ops =
  (...list: unknown[]): Misdeed =>
  (_socket, say) =>
    say(206, JSON.stringify(list));
const op = (fields: object) => ({ id: "a".repeat(40), op: "StepRun", name: "s", data: 1, ...fields });
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

/** Every misdeed with what the error of its run must say. */
const MISDEEDS: Record<string, [misdeed: Misdeed, error: RegExp]> = {
  "a body of 30 MB": [(_s, say) => say(200, Buffer.alloc(30_000_000, "x")), /larger than \d+ bytes/],
  "a stream without end": [
    (socket, say) => {
      say(200, "", "transfer-encoding: chunked\r\n");
      const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on("drain", more);
      more();
    },
    /larger than \d+ bytes/,
  ],
  "1,000 headers": [
    (_s, say) =>
      say(200, "1", Array.from({ length: 1_000 }, (_, i) => `x-${i}: ${"v".repeat(80)}\r\n`).join("")),
    /[Hh]eaders/,
  ],
  "invalid UTF-8": [(_s, say) => say(200, Buffer.from([0xff, 0xfe, 0xc3, 0x28])), /not JSON/],
  "100,000 ops": [ops(...Array.from({ length: 100_000 }, (_, i) => op({ id: `s${i}` }))), /steps|operations/],
  "9,000 failures of one step": [
    ops(...Array.from({ length: 9_000 }, () => op({ op: "StepError", error: { message: "no" } }))),
    /never go on/,
  ],
  "ops that are not objects": [ops(null, 1, "x", []), /list of steps/],
  "an op with an id of 10 KB": [ops(op({ id: "x".repeat(10_000) })), /id/],
  "an op with NUL in its id": [ops(op({ id: "a\0b", op: "StepPlanned" })), /id/],
  "an op with a lone surrogate in its id": [ops(op({ id: "a\ud800", op: "StepPlanned" })), /id/],
  "an op named by an object": [ops(op({ name: { a: 1 }, displayName: [], op: "StepPlanned" })), /name/],
  "an op with userland of the wrong type": [ops(op({ userland: { id: { x: 1 } } })), /userland/],
  "an unknown opcode": [ops(op({ op: "FormatDisk" })), /FormatDisk/],
  "an opcode that every object has": [ops(op({ op: "__proto__" })), /__proto__/],
  "an opcode that is a method": [ops(op({ op: "hasOwnProperty" })), /hasOwnProperty/],
  "a giant opcode": [ops(op({ op: "x".repeat(1_000_000) })), /opcode/],
  "a sleep for an object": [ops(op({ op: "Sleep", opts: { duration: { a: 1 } } })), /neither a time string/],
  "a sleep of a megabyte": [
    ops(op({ op: "Sleep", opts: { duration: "x".repeat(1_000_000) } })),
    /neither a time/,
  ],
  "a sleep for ever": [ops(op({ op: "Sleep", opts: { duration: 1e300 } })), /year/],
  "timing that is no time": [ops(op({ timing: { a: "x", b: null } })), /timing/],
  "a list of options": [ops(op({ op: "Sleep", opts: [1] })), /opts/],
  "data nested 100,000 levels deep": [
    (_s, say) => say(206, `[{"id":"x","op":"StepRun","data":${deep(100_000)}}]`),
    /nest/,
  ],
  "an output nested 100,000 levels deep": [(_s, say) => say(200, deep(100_000)), /nest/],
  "an error nested 100,000 levels deep": [(_s, say) => say(500, `{"message":${deep(100_000)}}`), /nest/],
  "a step output over its limit": [ops(op({ data: "x".repeat(4_300_000) })), /limit/],
  "a redirect to a metadata address": [
    (_s, say) => say(302, "", "location: http://169.254.169.254/latest/meta-data/\r\n"),
    /302/,
  ],
  "one byte every 50 ms": [
    (socket, say) => {
      say(200, "", "content-length: 100000\r\n");
      const timer = setInterval(() => socket.write("x"), 50);
      socket.on("close", () => clearInterval(timer));
    },
    /did not answer within/,
  ],
  "nothing at all": [() => {}, /did not answer within/],
  "a reset in the middle of the body": [
    (socket, say) => {
      say(200, "half", "content-length: 100\r\n");
      setTimeout(() => socket.resetAndDestroy(), 20);
    },
    /closed the connection|failed/,
  ],
  "a body shorter than announced": [
    (socket, say) => {
      say(200, "{}", "content-length: 100\r\n");
      socket.end();
    },
    /closed the connection|failed/,
  ],
  "a content-length that is no number": [(_s, say) => say(200, "{}", "content-length: many\r\n"), /failed/],
  "a gzip answer": [(_s, say) => say(200, gzipSync("{}"), "content-encoding: gzip\r\n"), /gzip/],
  "no HTTP": [(socket) => socket.end("220 mail.example ESMTP\r\n"), /failed|closed/],
  "a 201 around a 201": [(_s, say) => say(201, '{"status":201,"body":"x"}'), /201/],
  "a 201 with a status that is no number": [(_s, say) => say(201, '{"status":"200"}'), /201/],
  "a version that is no number": [(_s, say) => say(500, "{}", "x-svc-req-version: 1e309\r\n"), /./],
  "an error of a megabyte": [
    (_s, say) => say(500, JSON.stringify({ message: "m".repeat(1_000_000) })),
    /^m+… \(cut\)$/,
  ],
  "a list as its error": [(_s, say) => say(500, "[1,2,3]"), /\[1,2,3\]/],
  "no op to go on with": [ops(), /could never go on/],
};

/** An app whose function `app-<n>` commits the n-th misdeed. */
async function hostileApp(): Promise<{ url: string; close(): void }> {
  const misdeeds = Object.values(MISDEEDS);
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    const say = (status: number, body: string | Buffer, headers = "") => {
      const length = /content-length|transfer-encoding/.test(headers)
        ? ""
        : `content-length: ${Buffer.byteLength(body)}\r\n`;
      socket.write(`HTTP/1.1 ${status} X\r\nx-svc-sdk: hostile:v1\r\n${length}${headers}\r\n`);
      socket.write(body);
    };
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      const number = /fnId=app-(\d+)/.exec(received)?.[1];
      if (number === undefined || (!received.includes('"use_api":false}}') && !received.endsWith("}}")))
        return;
      received = "";
      misdeeds[Number(number)]![0](socket, say);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/api/svc`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe("an app that answers", () => {
  let service: ServiceProcess;
  let app: Awaited<ReturnType<typeof hostileApp>>;
  let slowestHealth: () => Promise<number>;

  before(async () => {
    app = await hostileApp();
    service = await startServiceProcess("dev", ["--retry-base", "1ms", "--call-timeout", "800ms"]);
    const functions = Object.keys(MISDEEDS).map((name, n) => ({
      id: `app-${n}`,
      name,
      triggers: [{ event: `hostile/${n}` }],
      steps: { step: { runtime: { url: `${app.url}?fnId=app-${n}&stepId=step` }, retries: { attempts: 1 } } },
    }));
    const synced = await fetch(`${service.url}/fn/register`, {
      method: "POST",
      body: JSON.stringify({ url: app.url, appName: "app", functions }),
    });
    assert.equal(synced.status, 200, await synced.text());
    slowestHealth = service.watchHealth();
  });
  after(async () => {
    await service.close();
    app.close();
  });

  for (const [n, [name, [, error]]] of Object.entries(MISDEEDS).entries()) {
    test(`with ${name} fails its run with a sentence`, async () => {
      const event = JSON.stringify({ name: `hostile/${n}`, data: {} });
      const sent = await fetch(`${service.url}/e/dev`, { method: "POST", body: event });
      const { ids } = (await sent.json()) as { ids: [string] };
      const run = await service.finishedRun(ids[0]);
      assert.equal(run.status, "failed");
      assert.match(run.error!.message, error);
      assert.notEqual(run.error!.name, "InternalError");
      assert.ok(run.error!.message.length < 70_000);
      assert.ok(run.attempts <= 4, `${run.attempts} calls`);
    });
  }

  test("in all these ways keeps nobody waiting, and no fault of the service is logged", async () => {
    const slowest = await slowestHealth();
    assert.ok(slowest <= MAX_HEALTH_MS, `/health took ${slowest} ms`);
    assert.deepEqual(service.complaints, []);
  });
});
