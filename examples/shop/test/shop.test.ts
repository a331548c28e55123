/** The example, run as a user runs it: its own process, real HTTP. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { hashStepId } from "@svc/protocol";
import { startMiniService } from "../../../packages/sdk/test/mini-service.ts";

async function start(
  t: { after(fn: () => void): void },
  serviceUrl: string,
  port: number,
): Promise<ChildProcess> {
  const env = { ...process.env, SVC_DEV: serviceUrl, PORT: String(port) };
  const app = spawn(process.execPath, ["server.ts"], { cwd: join(import.meta.dirname, ".."), env });
  t.after(() => app.kill());
  await once(app.stdout, "data");
  return app;
}

test("the shop ships, greets, charges, and cleans up after a declined card", async (t) => {
  const service = await startMiniService();
  t.after(() => service.close());
  const port = 20_000 + (process.pid % 20_000);
  await start(t, service.url, port);
  const url = `http://127.0.0.1:${port}/api/svc`;

  await fetch(url, { method: "PUT" });
  assert.deepEqual(
    service.registrations[0]!.body.functions.map((fn) => fn.id),
    ["shop-ship", "shop-greet", "shop-charge", "shop-charge-failure"],
  );
  const order = { name: "shop/order.created", data: { orderId: "1", email: "a@b.c" } };
  const shipped = await service.run(url, "shop-ship", order);
  assert.deepEqual(shipped.output, { label: "LABEL-1", told: service.sends[0]!.ids });
  assert.deepEqual(
    shipped.stack,
    ["print label", "wait for pickup", "tell"].map((id) => hashStepId(id)),
  );
  assert.equal((await service.run(url, "shop-greet", order)).status, "completed");
  assert.deepEqual((await service.run(url, "shop-charge", order)).output, { charged: true });

  const declined = await service.run(url, "shop-charge", { ...order, data: { ...order.data, fail: true } });
  assert.equal(declined.error!.message, "the card was declined");
  const cleanUp = await service.run(url, "shop-charge-failure", {
    name: "svc/function.failed",
    data: { function_id: "shop-charge", run_id: declined.runId, error: declined.error, event: order },
  });
  assert.equal(cleanUp.status, "completed");
  assert.equal(cleanUp.checkpoints[0]!.data, "refunded 1");
});
