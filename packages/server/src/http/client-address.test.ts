import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { test } from "node:test";
import { clientAddress } from "./client-address.ts";

const PROXY = "10.0.0.1";
const address = (
  headers: IncomingHttpHeaders,
  trustProxy = true,
  remoteAddress: string | undefined = PROXY,
) => clientAddress({ headers, socket: { remoteAddress } }, trustProxy);

test("without a trusted proxy it is the address of the socket, whatever headers say", () => {
  const headers = { "x-forwarded-for": "1.2.3.4", forwarded: "for=1.2.3.4" };
  assert.equal(address(headers, false), PROXY);
  assert.equal(address({}, false, "::ffff:127.0.0.1"), "127.0.0.1");
  assert.equal(address({}, false, "fe80::1%eth0"), "fe80::1");
  assert.equal(clientAddress({ headers: {}, socket: { remoteAddress: undefined } }, true), "");
});

test("behind a proxy it is the last entry of x-forwarded-for, without port, brackets and zone", () => {
  const cases: [string, string][] = [
    ["1.2.3.4", "1.2.3.4"],
    ["6.6.6.6, 1.2.3.4 ", "1.2.3.4"],
    ["unknown,1.2.3.4:5678", "1.2.3.4"],
    ["[::1]:80", "::1"],
    ["[2001:DB8::1]", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["::1:80", "::1:80"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["[::ffff:102:304]:80", "1.2.3.4"],
    ["fe80::1%eth0", "fe80::1"],
  ];
  for (const [header, expected] of cases)
    assert.equal(address({ "x-forwarded-for": header }), expected, header);
});

test("an entry that is no address makes the client unknown, not the proxy the client", () => {
  for (const entry of [
    "unknown",
    "_hidden",
    "1.2.3.4:port",
    "1.2.3.4:123456",
    "[1.2.3.4",
    "01.2.3.4",
    "x".repeat(9_000),
  ]) {
    assert.equal(address({ "x-forwarded-for": `6.6.6.6, ${entry}` }), "", entry);
    assert.equal(address({ forwarded: `for=6.6.6.6, for="${entry}"` }), "", entry);
  }
  assert.equal(address({ forwarded: "for=6.6.6.6, proto=https" }), "");
});

test("an empty last entry leaves it to the next header, and then to the socket", () => {
  for (const header of ["", " ", "6.6.6.6,", "6.6.6.6, "]) {
    assert.equal(address({ "x-forwarded-for": header }), PROXY);
    assert.equal(address({ "x-forwarded-for": header, forwarded: "for=1.2.3.4" }), "1.2.3.4");
    assert.equal(address({ forwarded: header }), PROXY);
  }
  assert.equal(address({}), PROXY);
});

test("the standard forwarded header counts when x-forwarded-for is absent", () => {
  const cases: [string, string][] = [
    ["for=1.2.3.4", "1.2.3.4"],
    ["for=6.6.6.6;proto=http, For=1.2.3.4;by=10.0.0.1", "1.2.3.4"],
    ['proto=https; for="[2001:db8::1]:4711"', "2001:db8::1"],
    ['for="1.2.3.4:80"', "1.2.3.4"],
    ['for="6.6.6.6, for=1.2.3.4', "1.2.3.4"],
    ['for=1.2.3.4;host="x;for=6.6.6.6"', "1.2.3.4"],
  ];
  for (const [header, expected] of cases) assert.equal(address({ forwarded: header }), expected, header);
  assert.equal(address({ forwarded: "for=6.6.6.6", "x-forwarded-for": "1.2.3.4" }), "1.2.3.4");
});

test("a client cannot write an entry of its own into that of the proxy", () => {
  assert.equal(address({ forwarded: 'for=1.2.3.4;host="evil,for=6.6.6.6;a="' }), "");
  assert.equal(address({ forwarded: 'for=1.2.3.4;host="evil,for=6.6.6.6;a=\\""' }), "");
});
