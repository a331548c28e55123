import assert from "node:assert/strict";
import { test } from "node:test";
import { guardedLookup, isRefusedAddress } from "./address-guard.ts";
import { createAppClient } from "./app-client.ts";

test("link-local and metadata addresses are refused in every way to write them", () => {
  for (const address of [
    "169.254.169.254",
    "169.254.0.1",
    "fe80::1",
    "fe80::1%eth0",
    "[fe80::1]",
    "::ffff:169.254.169.254",
    "[::ffff:a9fe:a9fe]",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::1",
    "fd00:ec2::254",
    "100.100.100.200",
  ]) {
    assert.equal(isRefusedAddress(address), true, address);
  }
});

test("loopback, private and public addresses, and names, are not refused", () => {
  for (const address of [
    "127.0.0.1",
    "::1",
    "10.0.0.1",
    "192.168.1.1",
    "8.8.8.8",
    "2001:db8::1",
    "localhost",
  ]) {
    assert.equal(isRefusedAddress(address), false, address);
  }
});

test("a request to a refused address fails with a sentence, whatever its URL looks like", async () => {
  const client = createAppClient({ allowLinkLocal: false, serverKind: "dev", now: Date.now });
  for (const host of ["169.254.169.254", "2852039166", "0xa9fea9fe", "[::ffff:169.254.169.254]"]) {
    await assert.rejects(client.send(`http://${host}/latest`, { method: "GET" }), {
      code: "sync_failed",
      message: /link-local or metadata address/,
    });
  }
  await client.close();
});

test("a name is looked up as usual", async () => {
  const found = await new Promise((resolve, reject) => {
    guardedLookup("localhost", { all: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses),
    );
  });
  assert.ok(Array.isArray(found) && found.length > 0);
});
