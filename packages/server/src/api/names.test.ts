import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ProductionService, productionService } from "../../test/production-service.ts";

let service: ProductionService;
before(async () => {
  service = await productionService();
});
after(() => service.close());

test("nothing is given a name that breaks a line, moves a cursor or reads otherwise than it is", async () => {
  const paths = ["/v1/webhooks", "/v1/event-keys", "/v1/signing-keys", "/v1/api-tokens"];
  for (const path of paths) {
    const more = path === "/v1/api-tokens" ? { scopes: ["read"] } : {};
    for (const odd of ["\0", "\n", "\u001b", "\u009b", "\u2028", "\u202e", "\u2066", "\ud800"]) {
      const { status, body } = await service.call("POST", path, { ...more, name: `a${odd}b` });
      assert.deepEqual(
        [status, body.code, body.field],
        [400, "invalid_request", "name"],
        `${path} ${encodeURI(JSON.stringify(odd))}`,
      );
    }
    assert.equal((await service.call("POST", path, { ...more, name: "Größe <b> 你好 '\"" })).status, 200);
  }
});
