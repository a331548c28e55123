import assert from "node:assert/strict";
import { test } from "node:test";
import { readLimits } from "./read-limits.ts";

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

test("empty fields take lists and limit away", () => {
  const none = { event_filter: null, ip_filter: null, rate_limit: null };
  assert.deepEqual(readLimits(form({})), none);
  assert.deepEqual(
    readLimits(
      form({ "event_filter.allow": " \n ", "ip_filter.deny": "", "rate.requests": " ", "rate.per": "hour" }),
    ),
    none,
  );
});

test("entries are separated by line breaks, commas and spaces", () => {
  const fields = { "event_filter.allow": "shop/*,user/joined\r\n\n cart/abandoned ", "rate.requests": "5" };
  assert.deepEqual(readLimits(form({ ...fields, "rate.per": "second" })), {
    event_filter: { allow: ["shop/*", "user/joined", "cart/abandoned"], deny: [] },
    ip_filter: null,
    rate_limit: { requests: 5, per: "second" },
  });
});
