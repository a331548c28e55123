/** What every engine of the store must do when it is closed. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { engineUnderTest, type OpenStore } from "./engine-under-test.ts";

export function closingContract(engineName: string, open: OpenStore) {
  describe(`closing the store on ${engineName}`, () => {
    const engine = engineUnderTest(open);
    const { event, accept, stateOf } = engine;

    test("after closing, commands and queries are refused as unavailable", async () => {
      await engine.store.close();
      await assert.rejects(accept([event()]), { code: "unavailable" });
      await assert.rejects(stateOf("x"), { code: "unavailable" });
    });

    test("commands given before closing are made durable by it", async () => {
      const work = Array.from({ length: 500 }, () => accept([event()]));
      const closing = engine.store.close();
      await Promise.all([...work, closing]);
    });
  });
}
