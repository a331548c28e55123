/** What the service needs when it does nothing, how fast it is up, and whether a full store slows it down. */
import { readFileSync, rmSync } from "node:fs";
import { runLoad } from "../load.ts";
import { EVENT_KEY, startSvc } from "../processes.ts";
import type { Row } from "../report.ts";

const EVENT = { name: "shop/order.created", data: { order: "o_81723", total: 129.9, note: "x".repeat(60) } };
const BATCH = JSON.stringify(Array.from({ length: 100 }, () => EVENT));
const CONNECTIONS = 8;

/** Idle memory, start time and ingest rate with many stored events. */
export async function footprintRows(stored: number, seconds: number): Promise<Row[]> {
  const first = await startSvc();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const idle = residentBytes(first.child.pid!);
  await first.stop();

  const empty = await startSvc();
  const { dataDir } = empty;
  const load = (port: number) =>
    runLoad({ port, path: `/e/${EVENT_KEY}`, body: BATCH, connections: CONNECTIONS, seconds });
  const whenEmpty = (await load(empty.port)).requestsPerSecond * 100;
  await empty.stop();

  const full = await startSvc({ dataDir });
  let count = 0;
  while (count < stored) {
    const { requestsPerSecond } = await runLoad({
      port: full.port,
      path: `/e/${EVENT_KEY}`,
      body: BATCH,
      connections: CONNECTIONS,
      seconds: 10,
    });
    count += requestsPerSecond * 10 * 100;
  }
  await full.stop();
  const again = await startSvc({ dataDir });
  const whenFull = (await load(again.port)).requestsPerSecond * 100;
  await again.stop();
  rmSync(dataDir, { recursive: true, force: true });
  const million = (count / 1e6).toFixed(1);
  return [
    { name: "idle memory (MB)", value: idle / 1e6, target: { atMost: 150 } },
    {
      name: `start to first answer with ${million} M stored events (ms)`,
      value: again.startedInMs,
      target: { atMost: 1_000 },
    },
    {
      name: `events/s with ${million} M stored events`,
      value: whenFull,
      baseline: { name: "with none", value: whenEmpty },
      target: { ratio: 0.8 },
    },
  ];
}

function residentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(kilobytes?.[1] ?? 0) * 1024;
}
