import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestService, type TestService } from "./test-service.ts";

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

test("a function is paused and resumed, and says so", async () => {
  const paused = await service.send("POST", "/v1/functions/shop-audit/pause");
  assert.deepEqual([paused.status, paused.body.data.id, paused.body.data.paused], [200, "shop-audit", true]);
  assert.equal((await service.get("/v1/functions/shop-audit")).body.data.paused, true);
  const resumed = await service.send("POST", "/v1/functions/shop-audit/resume");
  assert.deepEqual([resumed.status, resumed.body.data.paused], [200, false]);
  assert.deepEqual(
    service.calls.map(([name, , ...args]) => [name, ...args]),
    [
      ["pauseFunction", "dev", "shop-audit", true],
      ["pauseFunction", "dev", "shop-audit", false],
    ],
  );
});

test("what is no function cannot be paused", async () => {
  for (const verb of ["pause", "resume"]) {
    const { status, body } = await service.send("POST", `/v1/functions/shop-none/${verb}`);
    assert.deepEqual([status, body.code], [404, "not_found"]);
  }
});
