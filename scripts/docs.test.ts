import assert from "node:assert/strict";
import { test } from "node:test";
import { staleDocuments } from "./docs.ts";

test("documents made from code are fresh; `npm run docs` makes them so", () => {
  assert.deepEqual(staleDocuments(), []);
});
