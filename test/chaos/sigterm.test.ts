/** A graceful stop is not a small crash: nothing is lost, and nothing is repeated either. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startApp } from "./app-process.ts";
import { drain } from "./crash.ts";
import { type Load, startLoad } from "./load.ts";
import { seededRandom } from "./random.ts";
import { freePort, type ServiceProcess, startService } from "./service-process.ts";
import { readStored } from "./stored.ts";
import { verify } from "./verify.ts";
import { createWebhooks } from "./webhooks.ts";

const STOPS = 5;

/** The default of `--shutdown-grace`; every call of the app takes far less, so none is cut off. */
const GRACE_MS = 8_000;

test("stopped by SIGTERM under load the service loses nothing, repeats nothing and exits in time", async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), "svc-sigterm-"));
  const seed = Date.now() % 1_000_000;
  const random = seededRandom(seed);
  const port = await freePort();
  const app = await startApp(port);
  const complaints: string[] = [];
  let service: ServiceProcess = startService({ port, dataDir, appUrl: app.url });
  const stop = async () => {
    const { code, ms } = await service.stop();
    complaints.push(...service.complaints);
    t.diagnostic(`stopped in ${Math.round(ms)} ms`);
    assert.equal(code, 0, "the exit code says that the stop was clean");
    assert.ok(ms < GRACE_MS, `the stop took ${Math.round(ms)} ms, longer than the grace`);
  };

  let load: Load | undefined;

  try {
    await service.ready;
    await app.sync();
    const serviceUrl = `http://127.0.0.1:${port}`;
    const webhooks = await createWebhooks(serviceUrl);
    load = startLoad({ serviceUrl, webhooks, seed, senders: 12, pauseMs: 15 });
    for (let stops = 0; stops < STOPS; stops++) {
      await service.ready;
      await new Promise((resolve) => setTimeout(resolve, random.between(0, 800)));
      await stop();
      service = startService({ port, dataDir, appUrl: app.url });
    }
    await service.ready;
    await load.stop();
    await drain(dataDir);
    await stop();

    const verdict = verify(readStored(dataDir), load.ledger, await app.histories());
    t.diagnostic(
      `${verdict.acknowledged} events, ${verdict.runs} runs, ${verdict.stepsExecuted} steps, requests ${JSON.stringify(load.ledger.requests)}`,
    );
    assert.deepEqual([...verdict.violations, ...complaints], [], `the data is kept in ${dataDir}`);
    assert.equal(verdict.repeatsAllowed, 0, "steps that were under way were finished, not repeated");
    rmSync(dataDir, { recursive: true });
  } finally {
    load?.abandon();
    await service.kill();
    await app.stop();
  }
});
