// `npm start`: svc dev and the example app beside it, ended together. Runs on the pinned Node.
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { startTask } from "./processes.mjs";
import { ROOT } from "./setup.mjs";

const EXAMPLE = "examples/shop";
const MAIN = `${EXAMPLE}/server.ts`;

const args = process.argv.slice(2);
const port = readPort();

if (args.includes("--help") || args.includes("-h")) {
  process.exitCode = await startTask(process.execPath, ["packages/server/bin/svc.js", "help", "dev"]).ended;
} else if (port > 0 && !(await isFree(port))) {
  console.error(
    `Port ${port} is in use, perhaps by another svc: try \`npm start -- --port ${port === 9000 ? 9001 : 9000}\`.`,
  );
  process.exitCode = 1;
} else {
  process.exitCode = await runBoth();
}

async function runBoth() {
  const serviceUrl = `http://127.0.0.1:${port || 8288}`;
  const appPort = await firstFree(3000);
  const appUrl = `http://127.0.0.1:${appPort}/api/svc`;
  // The app first: it is there when svc asks it to sync.
  const app = startTask(process.execPath, [MAIN], { SVC_DEV: serviceUrl, PORT: String(appPort) });
  const svc = startTask(process.execPath, ["packages/server/bin/svc.js", "dev", "-u", appUrl, ...args], {
    SVC_EXAMPLE_EVENT: JSON.stringify(exampleEvent()),
  });
  svc.ended.then(() => app.child.kill());
  app.ended.then((code) => {
    if (svc.child.exitCode !== null || svc.child.signalCode !== null || code >= 128 || code === 0) return;
    console.error(`The example app ended with code ${code}; svc goes on without it.`);
  });
  return svc.ended;
}

/** The event that `svc dev` suggests to try; the example says in its package.json which one does something. */
function exampleEvent() {
  return JSON.parse(readFileSync(join(ROOT, EXAMPLE, "package.json"), "utf8")).exampleEvent;
}

async function firstFree(from) {
  let candidate = from;
  while (!(await isFree(candidate))) candidate++;
  return candidate;
}

/** The port svc will take; it checks the value itself. */
function readPort() {
  let given = process.env.SVC_PORT;
  args.forEach((arg, i) => {
    if (arg === "--port" || arg === "-p") given = args[i + 1];
    else if (arg.startsWith("--port=")) given = arg.slice("--port=".length);
  });
  return Number(given ?? 8288) || 0;
}

function isFree(number) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(error.code !== "EADDRINUSE"));
    server.listen(number, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
