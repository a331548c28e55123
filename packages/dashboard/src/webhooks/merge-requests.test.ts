import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { leavesGap, mergeRequests } from "./merge-requests.ts";

describe("rows of the inbox", () => {
  test("stand newest first and once, as they were read last", () => {
    const fresh = [
      { id: "3", status: "accepted" },
      { id: "2", status: "accepted" },
    ];
    const listed = [
      { id: "2", status: "pending" },
      { id: "1", status: "failed" },
    ];
    assert.deepEqual(mergeRequests(fresh, listed), [
      { id: "3", status: "accepted" },
      { id: "2", status: "accepted" },
      { id: "1", status: "failed" },
    ]);
  });

  test("have a gap when a whole page of newer ones does not reach those read before", () => {
    const fresh = Array.from({ length: 50 }, (_, i) => ({ id: String(199 - i) }));
    assert.equal(leavesGap(fresh, [{ id: "100" }]), true);
    assert.equal(leavesGap(fresh, [{ id: "150" }]), false);
    assert.equal(leavesGap(fresh.slice(0, 3), [{ id: "100" }]), false);
    assert.equal(leavesGap(fresh, []), false);
  });
});
