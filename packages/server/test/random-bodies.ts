/** Arbitrary request bodies for fuzzing. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { EVENT_LIMITS } from "@svc/protocol";
import fc from "fast-check";

/** The time the bodies are made for, ms since the epoch. */
export const NOW = 1_900_000_000_000;

const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ minLength: 1, maxLength: 1, unit: "binary" }),
    fc.constantFrom("\0", "\ud800", "\udfff", "\n", "é"),
  ),
  maxLength: 12,
});
const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom("a", "shop/order.placed", " x ", "", "svc/x", "inngest/x", "1.0", "__proto__"),
  },
  anyText,
  fc.integer({ min: 60, max: 300 }).map((length) => "é".repeat(length)),
);
const number = fc.oneof(
  fc.constantFrom(0, -0, 0.4, -1, NOW, NOW + EVENT_LIMITS.futureMs, 1e300),
  fc.double(),
);
const anyJson = fc.jsonValue({ maxDepth: 4 });
const deep = fc
  .integer({ min: 95, max: 3_000 })
  .map((levels) => JSON.parse("[".repeat(levels) + "]".repeat(levels)));
const odd: fc.Arbitrary<unknown> = fc.oneof(anyJson, text, number, fc.constantFrom(null, [], {}, true), deep);

/** A field that is usually right, sometimes missing, sometimes anything. */
function field(good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 24, arbitrary: good },
    { weight: 1, arbitrary: odd },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

const object = fc.dictionary(fc.oneof(text, fc.constantFrom("toJSON", "constructor")), anyJson, {
  maxKeys: 4,
});
const nearEvent = fc.record({
  name: field(fc.constantFrom("a", "shop/order.placed", " é\t")),
  data: field(object),
  id: field(fc.constantFrom("o-1", "", null)),
  ts: field(fc.constantFrom(0, NOW, 1.5, null)),
  user: field(object),
  v: field(fc.constantFrom("1", "2024-01-01.2", null)),
});
const nearCloudEvent = fc.record({
  specversion: field(fc.constant("1.0")),
  type: field(fc.constantFrom("a.b", "com.shop.order")),
  source: field(fc.constantFrom("/s", `https://x/${"s".repeat(260)}`)),
  id: field(fc.constantFrom("1", "é")),
  time: field(fc.constantFrom("2030-01-01T00:00:00Z", "2030-02-30T00:00:00.1+01:00", null)),
  data: fc.option(field(anyJson), { nil: undefined, freq: 2 }),
  data_base64: fc.option(field(fc.base64String()), { nil: undefined, freq: 1 }),
  ext: field(text),
});

const document: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: nearEvent.map((event) => JSON.stringify(event)) },
  { weight: 2, arbitrary: fc.array(nearEvent, { maxLength: 5 }).map((events) => JSON.stringify(events)) },
  {
    weight: 2,
    arbitrary: fc
      .array(nearEvent, { maxLength: 5 })
      .map((events) => events.map((event) => JSON.stringify(event)).join("\r\n")),
  },
  { weight: 2, arbitrary: nearCloudEvent.map((event) => JSON.stringify(event)) },
  {
    weight: 1,
    arbitrary: fc.array(nearCloudEvent, { maxLength: 4 }).map((events) => JSON.stringify(events)),
  },
  { weight: 2, arbitrary: fc.json({ maxDepth: 5 }) },
  // Numbers that JSON can hold and JSON.stringify cannot.
  {
    weight: 1,
    arbitrary: fc.constantFrom('{"name":"a","data":{"x":[1e999]}}', '{"name":"a","data":{},"ts":-1e999}'),
  },
  { weight: 1, arbitrary: fc.string() },
);

type Bytes = Buffer<ArrayBuffer>;
type Mutation = (bytes: Bytes) => Bytes;
const position = fc.nat({ max: 100_000 });
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(position, fc.nat({ max: 255 })).map(
    ([at, byte]): Mutation =>
      (bytes) => {
        if (bytes.length > 0) bytes[at % bytes.length] = byte;
        return bytes;
      },
  ),
  position.map(
    (at): Mutation =>
      (bytes) =>
        bytes.subarray(0, at % (bytes.length + 1)),
  ),
  position.map(
    (at): Mutation =>
      (bytes) =>
        bytes.subarray(at % (bytes.length + 1)),
  ),
  fc
    .tuple(position, fc.constantFrom('"', "{", "]", ",", "\\u", "\ufeff", "\n", "[".repeat(500), "9e9999"))
    .map(
      ([at, insert]): Mutation =>
        (bytes) => {
          const cut = at % (bytes.length + 1);
          return Buffer.concat([bytes.subarray(0, cut), Buffer.from(insert), bytes.subarray(cut)]);
        },
    ),
  fc.constant<Mutation>((bytes) => Buffer.concat([bytes, bytes])),
);

const charset = fc.oneof(
  { weight: 8, arbitrary: fc.constant<BufferEncoding>("utf8") },
  { weight: 1, arbitrary: fc.constantFrom<BufferEncoding>("utf16le", "latin1") },
);
/** Bodies: events and CloudEvents that are right or nearly so, other JSON, and broken bytes of all of them. */
export const bodies: fc.Arbitrary<Bytes> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(document, charset, fc.oneof(fc.constant([]), fc.array(mutation, { maxLength: 3 })))
      .map(([source, encoding, mutations]) =>
        mutations.reduce<Bytes>((body, mutate) => mutate(body), Buffer.from(source, encoding)),
      ),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)) },
);
/** Content types: the ones that matter, none, and nonsense. */
export const contentTypes = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(undefined, "application/json") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "application/x-ndjson",
      "Application/CloudEvents+JSON; charset=utf-8",
      "application/cloudevents-batch+json",
    ),
  },
  { weight: 1, arbitrary: fc.string() },
);

const encoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  "gzip, br": (body) => brotliCompressSync(gzipSync(body)),
};
/** Bodies as they travel, in every encoding and in none; some broken after encoding, some in an unknown one. */
export const encodedBodies = fc
  .tuple(
    bodies,
    fc.constantFrom(undefined, "raw deflate", "lzma", ...Object.keys(encoders)),
    fc.option(mutation, { freq: 1 }),
  )
  .map(([body, encoding, mutate]) => {
    const encode = encoding === "raw deflate" ? deflateRawSync : encoders[encoding ?? ""];
    const sent = encode === undefined ? body : Buffer.from(encode(body));
    return {
      body: mutate === null ? sent : mutate(sent),
      encoding: encoding === "raw deflate" ? "deflate" : encoding,
    };
  });
