/** What a crash leaves without an outcome is taken up by the next start. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createUlidGenerator } from "@svc/protocol";
import { openSqlite } from "../../packages/server/src/store/sqlite/open.ts";
import { startService } from "../service.ts";
import { type Json, webhookClient } from "./webhook-service.ts";

test("requests that were kept and not yet transformed become their events after a restart, once", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-restart-"));
  t.after(() => rm(dataDir, { recursive: true }));
  const start = async () => webhookClient(await startService("dev", ["--data-dir", dataDir]));

  const first = await start();
  const hook = await first.create("return {name: 'late/event', data: evt}");
  await first.close();

  // As the service leaves them when it is killed between the two commits of a request.
  const store = await openSqlite({ dataDir, now: Date.now });
  const nextId = createUlidGenerator();
  const requests = Array.from({ length: 60 }, (_, n) => {
    const receivedAt = Date.now();
    const [address, body] = ["127.0.0.1", JSON.stringify({ n })];
    const sent = {
      method: "POST",
      path: "/e/…",
      query: "",
      headers: "{}",
      body,
      body_encoding: "utf8" as const,
    };
    const id = nextId(receivedAt);
    return { ...sent, webhookId: hook.id, id, receivedAt, address, size: body.length, branch: null };
  });
  await store.execute("receiveWebhookRequests", {
    requests: requests.map((each) => ({ ...each, status: "pending" as const })),
  });
  await store.close();

  const second = await start();
  await second.eventually(async () => {
    const rows = await second.requests(hook);
    assert.deepEqual(new Set(rows.map(({ status }: Json) => status)), new Set(["accepted"]));
  });
  const events = await second.eventsNamed("late/event");
  assert.deepEqual(
    events.map(({ data }: Json) => data.n).sort((a: number, b: number) => a - b),
    requests.map((_, n) => n),
  );
  await second.close();

  const third = await start();
  assert.equal((await third.eventsNamed("late/event")).length, 60);
  await third.close();
});
