import assert from "node:assert/strict";
import { test } from "node:test";
import { baseUrl, requestOrigin, requireSameOrigin } from "./request-origin.ts";

const FORWARDED = {
  host: "10.0.0.5:8288",
  "x-forwarded-host": "evil.example.com, SVC.example.com",
  "x-forwarded-proto": "http, https",
};

test("a trusted proxy says under which address a request came; its own entry is the last", () => {
  const origin = requestOrigin(FORWARDED, true);
  assert.deepEqual(origin, { secure: true, host: "svc.example.com" });
  assert.equal(baseUrl(origin, "/"), "https://svc.example.com");
  assert.equal(baseUrl(requestOrigin(FORWARDED, false), "/tools/svc/"), "http://10.0.0.5:8288/tools/svc");
  assert.equal(requestOrigin({ host: "a.b", "x-forwarded-proto": "https" }, true).host, "a.b");
});

test("a host that could not be one makes no link", () => {
  for (const host of ["", "a b", "a/b", "a@b", "a#b", "a:b:c", "a:123456", "<x>", "x".repeat(300), "-"]) {
    assert.throws(() => baseUrl(requestOrigin({ host }, false), "/"), { code: "invalid_request" }, host);
  }
  for (const host of ["localhost:8288", "127.0.0.1", "[::1]:8288", "svc.example.com"]) {
    assert.equal(baseUrl(requestOrigin({ host }, false), "/"), `http://${host}`);
  }
});

const check = (headers: Record<string, string>, host = "svc.example.com", method = "POST") =>
  requireSameOrigin(method, headers, requestOrigin({ host }, false));

test("pages of the same origin and addresses typed in are let through", () => {
  check({ "sec-fetch-site": "same-origin" });
  check({ "sec-fetch-site": "none" });
  check({ origin: "https://svc.example.com" });
  check({ origin: "https://SVC.example.com" }, "Svc.Example.com:443");
  check({ origin: "http://svc.example.com" }, "svc.example.com:80");
  check({ origin: "http://[::1]:8288" }, "[::1]:8288");
  check({ "sec-fetch-site": "cross-site" }, "svc.example.com", "GET");
  check({}, "svc.example.com", "HEAD");
});

test("other sites, silence and what is no origin are refused", () => {
  for (const headers of [
    {},
    { origin: "" },
    { origin: "null" },
    { origin: "svc.example.com" },
    { origin: "file://svc.example.com" },
    { origin: "https://svc.example.com:8443" },
    { origin: "https://svc.example.com.evil.com" },
    { origin: "https://evil.com/svc.example.com" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "cross-site", origin: "https://svc.example.com" },
    { "sec-fetch-site": "" },
  ] as Record<string, string>[]) {
    assert.throws(() => check(headers), { code: "forbidden" }, JSON.stringify(headers));
  }
  assert.throws(() => check({ origin: "http://x" }, "not a host"), { code: "forbidden" });
});

test("a body must say that it is JSON", () => {
  const own = { "sec-fetch-site": "same-origin" };
  check({ ...own, "content-length": "2", "content-type": "application/json; charset=utf-8" });
  check({ ...own, "content-length": "0" });
  for (const headers of [
    { "content-length": "2" },
    { "transfer-encoding": "chunked" },
    { "content-length": "2", "content-type": "text/plain" },
    { "content-length": "2", "content-type": "text/plain; application/json" },
    { "content-length": "2", "content-type": "application/json+x" },
  ]) {
    assert.throws(() => check({ ...own, ...headers }), {
      code: "invalid_request",
      detail: { field: "content-type" },
    });
  }
});
