import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { TransformedEvent, TriedRequest } from "../api/webhooks.ts";
import { effectOn, effectSentence } from "./tried.ts";

const event = (name: string): TransformedEvent => ({ name, data: {}, id: null, ts: 1 });

function tried(before: string[] | null, after: string[] | null): TriedRequest {
  const error = { kind: "runtime", message: "no", line: 1, column: 1, stack: null };
  return {
    request_id: "1",
    received_at: "2026-01-01T00:00:00.000Z",
    status_before: before === null ? "failed" : "accepted",
    events_before: before?.map(event) ?? null,
    status: after === null ? "failed" : after.length === 0 ? "ignored" : "events",
    events: after?.map(event) ?? [],
    logs: [],
    error: after === null ? error : null,
    duration_ms: 1,
  };
}

describe("what a new transform changes for a request", () => {
  test("is nothing when the events are the same, or there were none and are none", () => {
    assert.equal(effectOn(tried(["a"], ["a"])), "same");
    assert.equal(effectOn(tried([], [])), "same");
  });

  test("is told apart by failure before and after", () => {
    assert.equal(effectOn(tried(["a"], ["b"])), "different");
    assert.equal(effectOn(tried(["a"], [])), "different");
    assert.equal(effectOn(tried(["a"], null)), "breaks");
    assert.equal(effectOn(tried([], null)), "breaks");
    assert.equal(effectOn(tried(null, ["a"])), "mends");
    assert.equal(effectOn(tried(null, null)), "fails");
  });

  test("is said in one sentence, the worst first", () => {
    assert.equal(
      effectSentence([tried(["a"], ["a"]), tried(["a"], null), tried(null, ["a"])]),
      "Of the last 3 requests: 1 that fails now, 1 that fails no more, 1 as before.",
    );
    assert.equal(effectSentence([tried(["a"], ["b"])]), "The only request: 1 with other events.");
    assert.match(effectSentence([]), /No request has come yet/);
  });
});
