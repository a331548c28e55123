import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";

const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** A process that runs the given `startServer` under runService and prints `up` when it is. */
function service(startServer: string) {
  const program = `
    import { loadConfig } from ${url("../config.ts")};
    import { createLogger } from ${url("../observe/log.ts")};
    import { runService } from ${url("./run-service.ts")};
    setInterval(() => {}, 1000);
    const config = loadConfig("dev", ["--port", "4321"], {});
    await runService(config, createLogger({ format: "json" }), ${startServer});
    console.log("up");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
      for (const watcher of watchers) watcher();
    });
  }
  const ended = once(child, "close").then(([code]) => ({ code, output }));
  const prints = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => output.includes(text) && resolve();
      watchers.add(look);
      look();
      ended.then(() => reject(new Error(`ended without ${text}: ${output}`)));
    });
  return { child, prints, ended };
}

const SERVER = `async () => ({ url: "u", close: async () => console.log("closed") })`;

test("the first signal closes the service and ends the process with 0", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const { child, prints, ended } = service(SERVER);
    await prints("up");
    child.kill(signal);
    const { code, output } = await ended;
    assert.equal(code, 0);
    assert.equal(output.match(/closed/g)?.length, 1);
  }
});

test("a signal during the start is obeyed once the start is over", async () => {
  const { child, prints, ended } = service(`async () => {
    const interrupted = new Promise((resolve) => process.once("SIGTERM", resolve));
    console.log("starting");
    await interrupted;
    return { url: "u", close: async () => console.log("closed") };
  }`);
  await prints("starting");
  child.kill("SIGTERM");
  assert.deepEqual([(await ended).code, (await ended).output.includes("closed")], [0, true]);
});

test("the second signal ends a service that hangs, but not one passed on twice at once", async () => {
  const { child, prints, ended } = service(`async () => ({ url: "u", close: () => new Promise(() => {}) })`);
  await prints("up");
  child.kill("SIGTERM");
  await prints("stopping");
  child.kill("SIGTERM");
  const impatient = setInterval(() => child.kill("SIGTERM"), 600);
  const { code } = await ended;
  clearInterval(impatient);
  assert.equal(code, 143);
});

test("a port in use is one sentence that says what to do", async () => {
  const { ended } = service(`async () => { throw Object.assign(new Error("x"), { code: "EADDRINUSE" }); }`);
  const { code, output } = await ended;
  assert.equal(code, 1);
  assert.match(
    output,
    /Port 4321 is in use, perhaps by another svc: stop that one, or run `svc dev --port 4322`/,
  );
  assert.doesNotMatch(output, /stack/);
});

test("an error that nothing caught is logged and ends the process with 1", async () => {
  for (const failure of [
    `setTimeout(() => { throw new Error("boom"); })`,
    `Promise.reject(new Error("boom"))`,
  ]) {
    const { ended } = service(
      `async () => { setTimeout(() => { ${failure}; }); return { url: "u", close() {} }; }`,
    );
    const { code, output } = await ended;
    assert.equal(code, 1);
    assert.match(output, /"level":"error".*boom/);
  }
});

test("a start that fails for its secret key says so in one line, without a stack", async () => {
  const { ended } = service(
    `async () => { throw Object.assign(new Error("The key is not the one."), { code: "SECRET_KEY" }); }`,
  );
  const { code, output } = await ended;
  assert.equal(code, 1);
  assert.match(output, /The key is not the one\./);
  assert.doesNotMatch(output, /stack|could not start/);
});
