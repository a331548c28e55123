import assert from "node:assert/strict";
import { test } from "node:test";
import { endedSessionCookie, readSessionCookie, sessionCookie } from "./session-cookie.ts";

test("the cookie that is set is the one that is read, under TLS and without", () => {
  for (const secure of [true, false]) {
    const [pair = ""] = sessionCookie("svc_ses_abc", secure).split(";");
    assert.equal(readSessionCookie(`theme=dark; ${pair}; other=1`, secure), "svc_ses_abc");
    assert.equal(readSessionCookie(pair, !secure), undefined);
    assert.match(endedSessionCookie(secure), /svc-session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax/);
  }
});

test("names that only look alike, and endless headers, are not read", () => {
  for (const header of [
    undefined,
    "",
    "xsvc-session=a",
    "svc-session",
    "svc-sessions=a",
    "a=svc-session=b",
  ]) {
    assert.equal(readSessionCookie(header, false), undefined, header ?? "none");
  }
  assert.equal(readSessionCookie(`svc-session=a; x=${"x".repeat(20_000)}`, false), undefined);
});
