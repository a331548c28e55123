import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestService, type TestService } from "./test-service.ts";

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const ask = (body: unknown) => service.send("POST", "/v1/filters/test", body);

describe("filters that are tried", () => {
  test("let in what is allowed and not denied, by name and by address", async () => {
    const filters = {
      event_filter: { allow: ["shop/*"], deny: ["shop/debug"] },
      ip_filter: { allow: ["10.0.0.0/8"], deny: ["10.0.0.7"] },
    };
    const verdicts = [];
    for (const [event, ip] of [
      ["shop/order.placed", "10.1.2.3"],
      ["shop/debug", "10.0.0.7"],
      ["billing/paid", "192.0.2.1"],
    ]) {
      verdicts.push((await ask({ ...filters, event, ip })).body.data);
    }
    assert.deepEqual(verdicts, [
      { event: true, ip: true },
      { event: false, ip: false },
      { event: false, ip: false },
    ]);
  });

  test("let everything in when there are none", async () => {
    const { body } = await ask({ event_filter: null, event: "a", ip: "::1" });
    assert.deepEqual(body.data, { event: true, ip: true });
  });

  test("say nothing of what was not asked", async () => {
    const { body } = await ask({ event_filter: { allow: ["a"] } });
    assert.deepEqual(body.data, { event: null, ip: null });
  });

  test("are refused with the entry that is none, and so is an address that is none", async () => {
    const wrongRange = await ask({ ip_filter: { allow: ["10.0.0.1", "nonsense"] }, ip: "::1" });
    assert.deepEqual([wrongRange.status, wrongRange.body.field], [400, "ip_filter.allow.1"]);
    const wrongAddress = await ask({ ip: "10.0.0" });
    assert.deepEqual([wrongAddress.status, wrongAddress.body.field], [400, "ip"]);
  });
});
