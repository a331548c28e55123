/** A thread that asks an address for an answer every few milliseconds and remembers the slowest one. */
import { Agent, get } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const PAUSE_MS = 10;
/** A thread that was itself kept from running for longer than this cannot tell how slow the other side was. */
const STARVED_MS = 50;

const agent = new Agent({ keepAlive: true });
let slowest = 0;
let stopped = false;
let lag = 0;
let last = performance.now();
setInterval(() => {
  lag = Math.max(lag, performance.now() - last - PAUSE_MS);
  last = performance.now();
}, PAUSE_MS).unref();

parentPort!.on("message", () => {
  stopped = true;
});

const ask = (): Promise<number> =>
  new Promise((resolve, reject) => {
    lag = 0;
    const began = performance.now();
    get(workerData as string, { agent }, (res) => {
      res.resume();
      res.on("end", () =>
        resolve(res.statusCode === 200 ? performance.now() - began : Number.POSITIVE_INFINITY),
      );
    }).on("error", reject);
  });

while (!stopped) {
  const took = await ask().catch(() => Number.POSITIVE_INFINITY);
  if (lag < STARVED_MS || took > 1_000) slowest = Math.max(slowest, took);
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
agent.destroy();
parentPort!.postMessage(slowest);
parentPort!.close();
