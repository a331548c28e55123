/** A full disk: nothing is taken that cannot be kept, and all goes on by itself when there is space again. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startApp } from "./app-process.ts";
import { drain } from "./crash.ts";
import { type Load, startLoad } from "./load.ts";
import { freePort, type ServiceProcess, startService } from "./service-process.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";
import { queueLength, readStored } from "./stored.ts";
import { type Verdict, verify } from "./verify.ts";
import { createWebhooks } from "./webhooks.ts";

const DISK_MB = 12;

/** This many refusals in a row, and the disk counts as full. */
const REFUSALS = 100;

/** Longest wait for anything. */
const PATIENCE_MS = 20_000;

interface Scene {
  disk: SmallDisk;
  load: Load;
  service: ServiceProcess;
  restart(): Promise<void>;
}

/** Fill the disk under load, let `act` do something about it, and hold what is stored against what was promised. */
async function onFullDisk(
  t: TestContext,
  act: (scene: Scene) => Promise<void>,
): Promise<Verdict | undefined> {
  const disk = mountSmallDisk(DISK_MB);
  if (typeof disk === "string") {
    console.error(`SKIPPED, so that the service on a full disk is NOT tested here: ${disk}`);
    t.skip(disk);
    return undefined;
  }
  const port = await freePort();
  const app = await startApp(port);
  const { dataDir } = disk;
  const start = async () => {
    const service = startService({ port, dataDir, appUrl: app.url, flags: ["--shutdown-grace", "2s"] });
    await service.ready;
    return service;
  };
  const scene = { disk, service: await start() } as Scene & { load?: Load };
  scene.restart = async () => {
    scene.service = await start();
  };
  try {
    await app.sync();
    const serviceUrl = `http://127.0.0.1:${port}`;
    scene.load = startLoad({
      serviceUrl,
      webhooks: await createWebhooks(serviceUrl),
      seed: 1,
      senders: 12,
      pauseMs: 10,
      paddingBytes: 3_000,
    });
    await full(scene.load);
    t.diagnostic(
      `full with ${queueLength(dataDir)} calls and sleeps to be made, ${disk.freeBytes()} bytes free`,
    );
    assert.ok(queueLength(dataDir) > 0, "runs are under way while the disk is full");

    await act(scene);

    await drain(dataDir);
    const { code } = await scene.service.stop();
    assert.equal(code, 0);
    const verdict = verify(readStored(dataDir), scene.load.ledger, await app.histories());
    const { requests } = scene.load.ledger;
    t.diagnostic(
      `${verdict.acknowledged} events, ${verdict.runs} runs, requests ${JSON.stringify(requests)}`,
    );
    assert.deepEqual(verdict.violations.slice(0, 10), []);
    return verdict;
  } finally {
    scene.load?.abandon();
    await scene.service.kill();
    await app.stop();
    disk.unmount();
  }
}

test("a full disk is answered by 503, and freed space is used at once without a restart", async (t) => {
  const verdict = await onFullDisk(t, async ({ disk, load }) => {
    disk.freeSpace();
    await accepting(load);
    await load.stop();
  });
  assert.equal(
    verdict?.repeatsAllowed ?? 0,
    0,
    "outcomes that could not be stored were kept, not made again",
  );
});

test("killed while the disk is full the service starts on the full disk, and goes on when there is space", async (t) => {
  await onFullDisk(t, async (scene) => {
    await scene.service.kill();
    await scene.restart();
    await full(scene.load);
    scene.disk.freeSpace();
    await accepting(scene.load);
    await scene.load.stop();
  });
});

test("stopped while the disk is full the service exits in time and loses nothing", async (t) => {
  await onFullDisk(t, async (scene) => {
    const { code, ms } = await scene.service.stop();
    assert.equal(code, 0);
    t.diagnostic(`stopped in ${Math.round(ms)} ms`);
    scene.disk.freeSpace();
    await scene.restart();
    await accepting(scene.load);
    await scene.load.stop();
  });
});

/** Wait until every request is refused. */
async function full({ ledger: { requests } }: Load): Promise<void> {
  let { acknowledged, refused } = requests;
  await until("the disk to be full", () => {
    if (requests.acknowledged !== acknowledged) ({ acknowledged, refused } = requests);
    return requests.refused - refused >= REFUSALS;
  });
}

/** Wait until requests are answered with 200 again. */
async function accepting({ ledger: { requests } }: Load): Promise<void> {
  const { acknowledged } = requests;
  await until("events to be accepted again", () => requests.acknowledged > acknowledged);
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!holds()) {
    assert.ok(performance.now() < deadline, `waited ${PATIENCE_MS} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
