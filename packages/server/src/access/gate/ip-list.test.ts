import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseIp, plainIp } from "./ip-address.ts";
import { compileIpList, ipRange, MAX_IP_ENTRIES } from "./ip-list.ts";

const allows = (entry: string, address: string) => compileIpList({ allow: [entry], deny: [] })(address);

test("an address or range covers what it says", () => {
  const cases: [string, string, boolean][] = [
    ["203.0.113.7", "203.0.113.7", true],
    ["203.0.113.7", "203.0.113.8", false],
    ["10.0.0.0/8", "10.255.255.255", true],
    ["10.0.0.0/8", "11.0.0.0", false],
    ["10.9.8.7/8", "10.0.0.1", true],
    ["0.0.0.0/0", "255.255.255.255", true],
    ["192.168.1.128/25", "192.168.1.127", false],
    ["2001:db8::/32", "2001:DB8:ffff::1", true],
    ["2001:db8::/32", "2001:db9::", false],
    ["2001:db8::8/125", "2001:db8::f", true],
    ["2001:db8::8/125", "2001:db8::10", false],
    ["::1", "0:0:0:0:0:0:0:1", true],
    ["::/0", "fe80::1", true],
    ["64:ff9b::1.2.3.4", "64:ff9b::102:304", true],
  ];
  for (const [entry, address, expected] of cases) {
    assert.equal(allows(entry, address), expected, `${entry} ${address}`);
  }
});

test("IPv4 in IPv6 form is IPv4, in entries and addresses", () => {
  const cases: [string, string, boolean][] = [
    ["1.2.3.4", "::ffff:1.2.3.4", true],
    ["1.0.0.0/8", "::FFFF:102:304", true],
    ["::ffff:1.2.3.4", "1.2.3.4", true],
    ["::ffff:1.0.0.0/104", "1.9.9.9", true],
    ["::ffff:1.0.0.0/104", "2.0.0.0", false],
    ["::ffff:0:0/96", "9.9.9.9", true],
    ["::ffff:0:0/96", "::1", false],
    ["0.0.0.0/0", "::1", false],
    ["::/0", "1.2.3.4", false],
    ["::/0", "::ffff:1.2.3.4", false],
    ["::1.2.3.4", "1.2.3.4", false],
  ];
  for (const [entry, address, expected] of cases) {
    assert.equal(allows(entry, address), expected, `${entry} ${address}`);
  }
});

test("zones are not looked at", () => {
  assert.equal(allows("fe80::/10", "fe80::1%eth0"), true);
  assert.equal(allows("fe80::1%eth0", "fe80::1%lo"), true);
});

test("deny wins over allow, and an empty allow list lets everybody else in", () => {
  const both = compileIpList({ allow: ["10.0.0.0/8"], deny: ["10.0.0.7"] });
  assert.deepEqual(["10.0.0.6", "10.0.0.7", "11.0.0.1"].map(both), [true, false, false]);
  const denied = compileIpList({ allow: [], deny: ["10.0.0.7", "::/0"] });
  assert.deepEqual(["10.0.0.7", "1.1.1.1", "::2"].map(denied), [false, true, false]);
  assert.equal(compileIpList({ allow: [], deny: [] })("1.1.1.1"), true);
});

const NO_ADDRESSES = [
  "",
  "unknown",
  "1.2.3",
  "01.2.3.4",
  "1.2.3.256",
  "1.2.3.4:80",
  "[::1]",
  "1.2.3.4%x",
  ":",
  "1::2::3",
];

test("what is no address is refused as soon as there is a list", () => {
  for (const address of [...NO_ADDRESSES, "1.2.3.4/32", "x".repeat(1_000)]) {
    assert.equal(compileIpList({ allow: ["0.0.0.0/0", "::/0"], deny: [] })(address), false, address);
    assert.equal(compileIpList({ allow: [], deny: ["10.0.0.0/8"] })(address), false, address);
    assert.equal(compileIpList({ allow: [], deny: [] })(address), true, address);
  }
});

test("an entry that is no address or range is refused with an example of one", () => {
  const bad = [
    "1.2.3.4/33",
    "::/129",
    "1.2.3.4/",
    "1.2.3.4/08",
    "1.2.3.4/-1",
    "1.2.3.4/255.0.0.0",
    "/8",
    " 1.2.3.4",
  ];
  for (const entry of [...bad, ...NO_ADDRESSES, "1.2.3.4/8/8", "example.com", "1.2.3.4\n"]) {
    const result = ipRange.safeParse(entry);
    assert.match(result.error?.issues[0]?.message ?? "accepted", /such as 203\.0\.113\.7/, entry);
    assert.throws(() => compileIpList({ allow: [], deny: [entry] }), RangeError);
  }
  for (const entry of ["1.2.3.4", "1.2.3.4/0", "::", "::ffff:1.2.3.4/128", "fe80::1%eth0/64"]) {
    assert.equal(ipRange.safeParse(entry).success, true, entry);
  }
});

test("a list has at most a thousand entries", () => {
  const entries = (count: number) => Array.from({ length: count }, (_, i) => `10.0.${i >> 8}.${i & 255}`);
  assert.equal(compileIpList({ allow: entries(MAX_IP_ENTRIES), deny: [] })("10.0.3.231"), true);
  assert.throws(() => compileIpList({ allow: entries(MAX_IP_ENTRIES + 1), deny: [] }), RangeError);
});

test("an address is shown plainly", () => {
  assert.equal(plainIp("::ffff:255.128.0.1"), "255.128.0.1");
  assert.equal(plainIp("FE80::1%eth0"), "fe80::1");
  assert.equal(plainIp("1.2.3.4"), "1.2.3.4");
  assert.equal(plainIp("1.2.3.4.5"), undefined);
});

/** The bits of an address as text, worked out from its bytes: what the lists are compared with. */
const bitsOf = (bytes: readonly number[]) => bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
// Few different bytes, so that addresses share bits.
const byte = fc.constantFrom(0, 1, 127, 128, 255);
const ipv4 = fc.array(byte, { minLength: 4, maxLength: 4 });
const ipv6 = fc
  .array(byte, { minLength: 16, maxLength: 16 })
  .filter((bytes) => !bitsOf(bytes).startsWith("0".repeat(80) + "1".repeat(16)));

const groupsOf = (bytes: readonly number[]) =>
  Array.from({ length: bytes.length / 2 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16));
/** The spellings of one address: plain, mapped, compressed by the URL parser. */
const spellings = (bytes: readonly number[]) => {
  if (bytes.length === 4)
    return [bytes.join("."), `::ffff:${bytes.join(".")}`, `::FFFF:${groupsOf(bytes).join(":")}`];
  const full = groupsOf(bytes).join(":");
  return [full, new URL(`http://[${full}]`).hostname.slice(1, -1), `${full.toUpperCase()}%en0`];
};
const address = fc
  .oneof(ipv4, ipv6)
  .chain((bytes) => fc.constantFrom(...spellings(bytes)).map((text) => ({ bytes, text })));
const range = fc.oneof(ipv4, ipv6).chain((bytes) =>
  fc.tuple(fc.nat({ max: bytes.length * 8 }), fc.nat({ max: 2 })).map(([bits, spelling]) => {
    const extra = bytes.length === 4 && spelling > 0 ? 96 : 0;
    return { bytes, bits, text: `${spellings(bytes)[spelling]}/${bits + extra}` };
  }),
);

test("lists decide as comparing bit by bit does", () => {
  fc.assert(
    fc.property(
      fc.array(range, { maxLength: 4 }),
      fc.array(range, { maxLength: 3 }),
      address,
      (allow, deny, client) => {
        const covers = (entry: { bytes: number[]; bits: number }) =>
          entry.bytes.length === client.bytes.length &&
          bitsOf(client.bytes).startsWith(bitsOf(entry.bytes).slice(0, entry.bits));
        const expected = !deny.some(covers) && (allow.length === 0 || allow.some(covers));
        const isAllowed = compileIpList({ allow: allow.map((e) => e.text), deny: deny.map((e) => e.text) });
        assert.equal(isAllowed(client.text), expected);
      },
    ),
    { numRuns: 3_000 },
  );
});

test("every spelling of an address is the same address", () => {
  fc.assert(
    fc.property(fc.oneof(ipv4, ipv6), (bytes) => {
      const [first, ...others] = spellings(bytes).map(parseIp);
      assert.ok(first);
      for (const other of others) assert.deepEqual(other, first);
    }),
  );
});
