/** The crash run: load without a break, kill after kill on the same data directory, then the reckoning. */
import { startApp } from "./app-process.ts";
import { type Load, startLoad } from "./load.ts";
import { seededRandom } from "./random.ts";
import { freePort, type ServiceProcess, startService } from "./service-process.ts";
import { pendingRequests, queueLength, readStored } from "./stored.ts";
import { type Verdict, verify } from "./verify.ts";
import { createWebhooks } from "./webhooks.ts";

export interface CrashOptions {
  dataDir: string;
  kills: number;
  seed: number;
  /** Told after every kill. */
  onKill?: (kill: number) => void;
}

export interface CrashReport extends Verdict {
  kills: number;
  /** Of these, kills of a process that was still starting. */
  killsWhileStarting: number;
  requests: { acknowledged: number; refused: number; broken: number };
  /** Webhook requests that kills have left without an outcome; one that two kills have left counts twice. */
  takenUp: number;
  /** Time from the start of a process on what a kill has left until it listened, ms, ascending. */
  readyMs: number[];
  /** Time from the end of the load until nothing was left to do, ms. */
  drainMs: number;
}

/** One kill in so many finds the service still starting. */
const STARTING = 8;

/**
 * Longest the work may take to drain. Much more than it needs, and less than the 30 s after which a lane looks at
 * the store by itself: a run that hangs until then was lost from memory.
 */
const DRAIN_MS = 20_000;

/** Run it. What went wrong is in `violations`. */
export async function crash({ dataDir, kills, seed, onKill }: CrashOptions): Promise<CrashReport> {
  const random = seededRandom(seed);
  const port = await freePort();
  const app = await startApp(port);
  const complaints: string[] = [];
  const readyMs: number[] = [];
  let killsWhileStarting = 0;
  let takenUp = 0;
  let service: ServiceProcess | undefined;
  const restart = (): ServiceProcess => {
    service = startService({ port, dataDir, appUrl: app.url });
    return service;
  };

  let load: Load | undefined;
  try {
    let current = restart();
    await current.ready;
    await app.sync();
    const serviceUrl = `http://127.0.0.1:${port}`;
    const webhooks = await createWebhooks(serviceUrl);
    load = startLoad({ serviceUrl, webhooks, seed, senders: 12, pauseMs: 25 });
    for (let kill = 1; kill <= kills; kill++) {
      if (kill > 1 && random.between(1, STARTING) === 1) {
        killsWhileStarting++;
        await pause(random.between(20, 400));
      } else {
        const ms = await current.ready;
        if (kill > 1) readyMs.push(ms);
        await pause(random.between(20, 800));
      }
      await current.kill();
      complaints.push(...current.complaints);
      onKill?.(kill);
      takenUp += pendingRequests(dataDir);
      current = restart();
    }
    readyMs.push(await current.ready);
    await load.stop();
    const drainMs = await drain(dataDir);
    const { code } = await current.stop();
    complaints.push(...current.complaints);

    const verdict = verify(readStored(dataDir), load.ledger, await app.histories());
    if (code !== 0) verdict.violations.push(`the service ended with ${code} when it was asked to stop`);
    for (const line of complaints) verdict.violations.push(`the service complained: ${line}`);
    return {
      ...verdict,
      kills,
      killsWhileStarting,
      takenUp,
      requests: load.ledger.requests,
      readyMs: readyMs.sort((a, b) => a - b),
      drainMs,
    };
  } finally {
    load?.abandon();
    await service?.kill();
    await app.stop();
  }
}

/** Wait until the queue is empty and every webhook request has its outcome, or as long as that may take; what is left then is found by the verification. */
export async function drain(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const left = () => pendingRequests(dataDir) + queueLength(dataDir) > 0;
  while (left() && performance.now() - startedAt < DRAIN_MS) await pause(50);
  return performance.now() - startedAt;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
