import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOf } from "./shortcuts.ts";

interface Pressed {
  key: string;
  code?: string;
  held?: string[];
}

/** What a browser says of a key; on Windows AltGr comes with Ctrl and Alt. */
function named({ key, code = "", held = [] }: Pressed): string | undefined {
  const has = (name: string) => held.includes(name);
  return keyOf({
    key,
    code,
    shiftKey: has("Shift"),
    ctrlKey: has("Control"),
    altKey: has("Alt"),
    metaKey: has("Meta"),
    getModifierState: has,
  } as unknown as KeyboardEvent);
}

test("a letter is the same with Caps Lock, and another one with Shift", () => {
  assert.equal(named({ key: "c", code: "KeyC" }), "c");
  assert.equal(named({ key: "C", code: "KeyC", held: ["CapsLock"] }), "c");
  assert.equal(named({ key: "C", code: "KeyC", held: ["Shift"] }), "C");
  assert.equal(named({ key: "c", code: "KeyC", held: ["Shift", "CapsLock"] }), "C");
});

test("a letter of another alphabet is the Latin one of its place, a Latin one is where it is written", () => {
  assert.equal(named({ key: "с", code: "KeyC" }), "c");
  assert.equal(named({ key: "л", code: "KeyK", held: ["Control"] }), "mod+k");
  assert.equal(named({ key: "a", code: "KeyQ" }), "a");
  assert.equal(named({ key: "ö", code: "Semicolon" }), "ö");
});

test("signs are what is written, with Shift or AltGr where a keyboard needs them", () => {
  assert.equal(named({ key: "?", code: "Minus", held: ["Shift"] }), "?");
  assert.equal(named({ key: "/", code: "Digit7", held: ["Shift"] }), "/");
  assert.equal(named({ key: "/", code: "KeyQ", held: ["AltGraph"] }), "/");
  assert.equal(named({ key: "/", code: "KeyQ", held: ["AltGraph", "Control", "Alt"] }), "/");
  assert.equal(named({ key: "+", code: "Equal", held: ["Shift"] }), "+");
});

test("with Alt held nothing is meant, and modifiers alone mean nothing", () => {
  assert.equal(named({ key: "c", code: "KeyC", held: ["Alt"] }), undefined);
  for (const key of ["Shift", "Control", "Meta", "Alt", "AltGraph"]) assert.equal(named({ key }), undefined);
  assert.equal(named({ key: "k", code: "KeyK", held: ["Meta"] }), "mod+k");
  assert.equal(named({ key: "C", code: "KeyC", held: ["Control", "Shift"] }), "mod+shift+c");
});
