/**
 * Names of the web platform that transforms need and the engine does not have, evaluated in QuickJS: text to bytes and
 * back, and forms. Only as much of each as payloads ask for.
 */
(() => {
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

  class TextEncoder {
    get encoding() {
      return "utf-8";
    }

    encode(text = "") {
      const bytes = [];
      for (const character of String(text).toWellFormed()) {
        const code = character.codePointAt(0);
        if (code < 0x80) bytes.push(code);
        else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
        else if (code < 0x10000)
          bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
        else {
          bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63));
          bytes.push(0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
        }
      }
      return new Uint8Array(bytes);
    }
  }

  /** For each first byte the number of bytes that follow, the bits it carries and the smallest code allowed. */
  const shape = (byte) => {
    if (byte < 0x80) return [0, byte, 0];
    if (byte >= 0xc2 && byte < 0xe0) return [1, byte & 0x1f, 0x80];
    if (byte >= 0xe0 && byte < 0xf0) return [2, byte & 0x0f, 0x800];
    if (byte >= 0xf0 && byte < 0xf5) return [3, byte & 0x07, 0x10000];
    return null;
  };

  class TextDecoder {
    #fatal;

    constructor(label = "utf-8", { fatal = false } = {}) {
      if (!/^\s*utf-?8\s*$/i.test(label)) throw new RangeError(`TextDecoder knows utf-8 only, not ${label}.`);
      this.#fatal = fatal;
    }

    get encoding() {
      return "utf-8";
    }

    decode(input = new Uint8Array(0)) {
      const bytes = ArrayBuffer.isView(input)
        ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
        : new Uint8Array(input);
      const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
      const parts = [];
      for (let at = bom ? 3 : 0; at < bytes.length; ) {
        const [code, next] = this.#read(bytes, at);
        if (code === -1 && this.#fatal) throw new TypeError("The bytes are not valid UTF-8.");
        parts.push(code === -1 ? "\ufffd" : String.fromCodePoint(code));
        at = next;
      }
      return parts.join("");
    }

    /** The code point at a place, -1 when there is none, and the place behind it. */
    #read(bytes, at) {
      const first = shape(bytes[at]);
      if (first === null) return [-1, at + 1];
      let [count, code] = first;
      let next = at + 1;
      for (; count > 0; count--, next++) {
        const byte = bytes[next];
        // A surrogate or too large a code shows in the second byte, and ends the sequence before it.
        const second = next === at + 1;
        const low = second && bytes[at] === 0xe0 ? 0xa0 : second && bytes[at] === 0xf0 ? 0x90 : 0x80;
        const high = second && bytes[at] === 0xed ? 0x9f : second && bytes[at] === 0xf4 ? 0x8f : 0xbf;
        if (byte === undefined || byte < low || byte > high) return [-1, next];
        code = (code << 6) | (byte & 63);
      }
      return [code, next];
    }
  }

  const unescapeForm = (text) => {
    const spaced = text.replaceAll("+", " ");
    try {
      return decodeURIComponent(spaced);
    } catch {
      return spaced;
    }
  };
  const escapeForm = (text) =>
    encodeURIComponent(text)
      .replaceAll("%20", "+")
      .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

  class URLSearchParams {
    #pairs = [];

    constructor(init = "") {
      if (typeof init === "object" && init !== null) {
        const entries = typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
        for (const [name, value] of entries) this.append(name, value);
        return;
      }
      for (const pair of String(init).replace(/^\?/, "").split("&")) {
        if (pair === "") continue;
        const at = pair.indexOf("=");
        const name = at === -1 ? pair : pair.slice(0, at);
        this.#pairs.push([unescapeForm(name), at === -1 ? "" : unescapeForm(pair.slice(at + 1))]);
      }
    }

    get size() {
      return this.#pairs.length;
    }
    append(name, value) {
      this.#pairs.push([String(name), String(value)]);
    }
    delete(name) {
      this.#pairs = this.#pairs.filter(([key]) => key !== name);
    }
    get(name) {
      return this.#pairs.find(([key]) => key === name)?.[1] ?? null;
    }
    getAll(name) {
      return this.#pairs.filter(([key]) => key === name).map(([, value]) => value);
    }
    has(name) {
      return this.#pairs.some(([key]) => key === name);
    }
    set(name, value) {
      const place = this.#pairs.findIndex(([key]) => key === name);
      const rest = this.#pairs.filter(([key], index) => key !== name || index === place);
      if (place === -1) rest.push([String(name), String(value)]);
      else rest[place] = [String(name), String(value)];
      this.#pairs = rest;
    }
    forEach(callback) {
      for (const [name, value] of this) callback(value, name, this);
    }
    *entries() {
      for (const [name, value] of this.#pairs) yield [name, value];
    }
    *keys() {
      for (const [name] of this.#pairs) yield name;
    }
    *values() {
      for (const [, value] of this.#pairs) yield value;
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    toString() {
      return this.#pairs.map(([name, value]) => `${escapeForm(name)}=${escapeForm(value)}`).join("&");
    }
  }

  define("TextEncoder", TextEncoder);
  define("TextDecoder", TextDecoder);
  define("URLSearchParams", URLSearchParams);
})();
