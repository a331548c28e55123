import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { transformInput } from "./transform-input.ts";

const JSON_TYPE = "application/json";
const FORM = "application/x-www-form-urlencoded";

const input = (contentType: string | undefined, body: string | Uint8Array) =>
  transformInput(contentType, Buffer.from(body as string));
const evt = (contentType: string | undefined, body: string | Uint8Array): unknown =>
  JSON.parse(input(contentType, body).evt);

test("a JSON body is the event as it stands, whatever JSON it is", () => {
  const types = [
    JSON_TYPE,
    "Application/JSON; charset=utf-8",
    "application/vnd.api+json",
    "text/json",
    undefined,
    "",
  ];
  for (const type of types) {
    for (const body of ['{"a":1, "a":2}', "[1]", "null", '"x"', "5", " true\n", '{"__proto__":{"x":1}}']) {
      assert.deepEqual(input(type, body), { evt: body, raw: body, binary: false }, `${type} ${body}`);
    }
  }
});

test("a body that says it is JSON and is not is told of, with the position", () => {
  for (const type of [JSON_TYPE, "application/x+json"]) {
    const { invalidJson, ...rest } = input(type, '{"a": x}');
    assert.deepEqual(rest, { evt: "{}", raw: '{"a": x}', binary: false });
    assert.match(invalidJson ?? "", /not valid JSON.*line 1 column 7/);
  }
  assert.match(input(JSON_TYPE, "[".repeat(501) + "]".repeat(501)).invalidJson ?? "", /levels/);
  assert.match(input(JSON_TYPE, Buffer.from('"\xff"', "latin1")).invalidJson ?? "", /UTF-8/);
});

test("a body without a content type need not be JSON", () => {
  assert.deepEqual(input(undefined, "a=1"), { evt: "{}", raw: "a=1", binary: false });
});

test("no body is an empty event, without complaint", () => {
  for (const type of [JSON_TYPE, undefined, FORM, "text/plain", "multipart/form-data; boundary=b"]) {
    assert.deepEqual(input(type, ""), { evt: "{}", raw: "", binary: false });
  }
});

test("any other body is an empty event with its text beside it", () => {
  for (const type of ["text/plain", "application/xml", "application/jsonp", "json"]) {
    assert.deepEqual(input(type, '{"a":1}'), { evt: "{}", raw: '{"a":1}', binary: false }, type);
  }
});

test("a byte order mark is in the raw body and not in the event", () => {
  assert.deepEqual(input(JSON_TYPE, '\ufeff{"a":1}'), {
    evt: '{"a":1}',
    raw: '\ufeff{"a":1}',
    binary: false,
  });
});

test("an urlencoded form is an object of its fields", () => {
  assert.deepEqual(evt(FORM, "a=1&b=x+y&a=%C3%A9&a=3&c&=e"), {
    a: ["1", "é", "3"],
    b: "x y",
    c: "",
    "": "e",
  });
  assert.equal(input(`${FORM};charset=UTF-8`, "__proto__=1&__proto__=2").evt, '{"__proto__":["1","2"]}');
  assert.deepEqual(input(FORM, "payload=%7B%7D"), {
    evt: '{"payload":"{}"}',
    raw: "payload=%7B%7D",
    binary: false,
  });
  assert.equal((evt(FORM, "a=1&".repeat(5_000)) as { a: string[] }).a.length, 1_000);
});

test("a multipart form is an object of its fields, files by their facts", () => {
  const part = (rest: string, content: string) =>
    `--x y\r\ncontent-disposition: form-data; name=${rest}\r\n\r\n${content}\r\n`;
  const body = `${part("a", "1")}${part('f; filename="n.txt"', "abc")}${part("a", "2")}${part("__proto__", "p")}--x y--`;
  assert.equal(
    input('Multipart/Form-Data; Boundary="x y"; charset=utf-8', body).evt,
    '{"a":["1","2"],"f":{"filename":"n.txt","content_type":"application/octet-stream","size":3},"__proto__":"p"}',
  );
  for (const type of ["multipart/form-data", "multipart/form-data; boundary=other"]) {
    assert.deepEqual(input(type, body), { evt: "{}", raw: body, binary: false });
  }
});

test("another charset is understood for the event, and the raw body is its bytes", () => {
  const latin1 = Buffer.from('{"name":"caf\xe9"}', "latin1");
  const read = input("application/json; charset=ISO-8859-1", latin1);
  assert.deepEqual(read, { evt: '{"name":"café"}', raw: latin1.toString("base64"), binary: true });
  assert.deepEqual(evt(`${FORM}; charset="windows-1252"`, Buffer.from("a=\x80", "latin1")), { a: "€" });
  const utf16 = Buffer.from("\ufeff[1]", "utf16le");
  assert.deepEqual(evt("application/json; charset=utf-16", utf16), [1]);
  // What is not in the charset it claims, or in less than UTF-8, is UTF-8.
  assert.deepEqual(evt("application/json; charset=utf-16", '["éa"]'), ["éa"]);
  for (const charset of ["us-ascii", "nonsense", "x".repeat(200), "utf8", "UTF-8", "'"]) {
    assert.deepEqual(evt(`application/json; charset=${charset}`, '["é"]'), ["é"]);
  }
});

test("the raw body gives back exactly the bytes that came", () => {
  const anyBytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: "binary" }).map((text) => new Uint8Array(Buffer.from(text))),
    fc.json().map((text) => new Uint8Array(Buffer.from(`\ufeff${text}`))),
  );
  const type = fc.constantFrom(
    undefined,
    JSON_TYPE,
    "application/json; charset=utf-16be",
    FORM,
    "text/plain; charset=iso-8859-1",
    "multipart/form-data; boundary=b",
  );
  fc.assert(
    fc.property(anyBytes, type, (bytes, contentType) => {
      const { raw, binary, evt } = transformInput(contentType, bytes);
      assert.deepEqual(Buffer.from(raw, binary ? "base64" : "utf8"), Buffer.from(bytes));
      assert.doesNotThrow(() => JSON.parse(evt));
    }),
    { numRuns: 2_000 },
  );
});
