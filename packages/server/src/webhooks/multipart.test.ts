import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseMultipart } from "./multipart.ts";

const parse = (text: string, boundary = "b") => parseMultipart(Buffer.from(text), boundary);
const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

test("fields and files are told in the order sent", () => {
  const file =
    '--b\r\ncontent-TYPE:  image/png \r\ncontent-disposition: form-data; name="f"; filename="a b.png"\r\n\r\n\0\r\n\r\n\r\n';
  assert.deepEqual(parse(`${field("a", "1")}${file}${field("a", "")}--b--\r\n`), [
    { name: "a", value: "1" },
    { name: "f", value: { filename: "a b.png", content_type: "image/png", size: 5 } },
    { name: "a", value: "" },
  ]);
  assert.deepEqual(parse(`${field("a", "").slice(0, -2)}--b--`), [{ name: "a", value: "" }]);
  assert.deepEqual(parse("--b--"), []);
});

test("what stands before the first boundary and after the last one is not part of the form", () => {
  assert.deepEqual(parse(`hello\r\n${field("a", "1")}--b--\r\n${field("x", "2")}`), [
    { name: "a", value: "1" },
  ]);
  assert.deepEqual(parse(`\r\n${field("a", "1")}--b-- \r\n`), [{ name: "a", value: "1" }]);
});

test("text that only looks like a boundary is content", () => {
  const value = "\r\n--bc\r\n --b\r\n--b x\r\n--\r\n--b-\n--b";
  assert.deepEqual(parse(`${field("a", value)}--b \t\r\n\r\n`), undefined);
  assert.deepEqual(parse(`${field("a", value)}--b--`), [{ name: "a", value }]);
});

test("names and filenames are read in every spelling that is sent", () => {
  const cases: [string, { name: string; filename?: string }][] = [
    ["form-data; name=plain", { name: "plain" }],
    ['form-data;NAME = "spaced"', { name: "spaced" }],
    ['form-data; name="a%22b%0D%0Ac%41"', { name: 'a"b\r\nc%41' }],
    ['form-data; name="a\\"b;name=c"', { name: 'a"b;name=c' }],
    ['form-data; filename="x;name=y"; name="n"', { name: "n", filename: "x;name=y" }],
    ['form-data; name="é"; filename=""', { name: "é", filename: "" }],
    ["form-data; name=a; filename*=UTF-8''na%C3%AFve.txt", { name: "a", filename: "naïve.txt" }],
    ["form-data; name=a; filename*=UTF-8''%zz", { name: "a", filename: "%zz" }],
  ];
  for (const [disposition, { name, filename }] of cases) {
    const value =
      filename === undefined ? "1" : { filename, content_type: "application/octet-stream", size: 1 };
    assert.deepEqual(
      parse(`--b\r\ncontent-disposition: ${disposition}\r\n\r\n1\r\n--b--`),
      [{ name, value }],
      disposition,
    );
  }
});

test("a broken form is none", () => {
  const whole = `${field("a", "1")}--b--`;
  for (let length = 0; length < whole.length; length++)
    assert.equal(parse(whole.slice(0, length)), undefined);
  assert.equal(parse(whole, "c"), undefined);
  assert.equal(parse("--b\r\n\r\nno headers\r\n--b--"), undefined);
  const late = "content-disposition: form-data; name=late";
  assert.equal(parse(`--b\r\n\r\n${late}\r\n\r\n1\r\n--b--`), undefined);
  assert.equal(parse("--b\r\ncontent-disposition: form-data\r\n\r\nno name\r\n--b--"), undefined);
  assert.equal(parse(`--b\r\nx: ${"y".repeat(9_000)}\r\n${field("a", "1").slice(5)}--b--`), undefined);
});

test("a form may have a thousand parts", () => {
  assert.equal(parse(`${field("a", "1").repeat(1_000)}--b--`)?.length, 1_000);
  assert.equal(parse(`${field("a", "1").repeat(1_001)}--b--`), undefined);
});

const safeText = fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => !/[\\\r\n]/.test(text));
// Node leaves out an empty filename, which makes the file a field.
const filename = safeText.filter((text) => text !== "");
const entry = fc.record({
  name: fc.oneof(safeText, fc.constantFrom("a", "__proto__")),
  file: fc.option(fc.record({ filename, bytes: fc.uint8Array({ maxLength: 50 }) })),
  value: fc.string({ unit: fc.oneof(fc.constant("-"), fc.constant("é"), fc.constant("x")) }),
});

test("a form that Node writes is read as it was", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 8 }), async (entries) => {
      const form = new FormData();
      for (const { name, file, value } of entries) {
        if (file === null) form.append(name, value);
        else form.append(name, new Blob([file.bytes as BlobPart], { type: "image/png" }), file.filename);
      }
      const response = new Response(form);
      const boundary = /boundary=(.*)/.exec(response.headers.get("content-type")!)![1]!;
      const body = Buffer.from(await response.arrayBuffer());
      assert.deepEqual(
        parseMultipart(body, boundary),
        entries.map(({ name, file, value }) => ({
          name,
          value:
            file === null
              ? value
              : { filename: file.filename, content_type: "image/png", size: file.bytes.length },
        })),
      );
    }),
  );
});

test("no bytes make it throw, and what it reads adds up to no more than the body", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "--b",
      "\r\n",
      "\r\n\r\n",
      "--",
      "\r\n--b\r\n",
      "\n",
      "content-disposition:form-data;name=a",
    ),
    fc.constantFrom(';name="', '"', "\\", "filename*=UTF-8''%ff", ";filename=x", ":", "\r\n--b--"),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const body = Buffer.from(pieces.join(""));
      let size = 0;
      for (const { value } of parseMultipart(body, "b") ?? []) {
        size += typeof value === "string" ? Buffer.byteLength(value) : value.size;
      }
      assert.ok(size <= body.length);
    }),
    { numRuns: 2_000 },
  );
});
