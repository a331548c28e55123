import assert from "node:assert/strict";
import { test } from "node:test";
import { shortUrl } from "./webhook-url.ts";

test("the middle of a webhook's key is left out, whatever characters it has", () => {
  assert.equal(shortUrl("https://h.example/svc/e/svc_whk_ab_cd-efghijkl"), "h.example/svc/e/svc_whk_…ijkl");
  assert.equal(shortUrl("http://127.0.0.1:1/e/other"), "127.0.0.1:1/e/other");
});
