/** Keyboard shortcuts: single keys, and keys pressed one after the other (`g e`). */
import { useEffect, useRef } from "react";

export interface Shortcut {
  /** `j`, `?`, `g e`, `mod+k`, `escape`; `mod` is Cmd on Apple's keyboards, Ctrl elsewhere. */
  keys: string;
  /** What it does, for the list of shortcuts. */
  label: string;
  /** Heading in the list of shortcuts. */
  group: "Go to" | "Lists" | "Anywhere" | "Event" | "Run" | "Function" | "Webhook";
  /** The browser does it by itself: it is only listed. */
  native?: true;
}

interface Bound extends Shortcut {
  run(): void;
}

/** Longest pause between two keys of a sequence, ms. */
const SEQUENCE_MS = 900;

/** Later ones win: a panel's Escape comes before the page's. */
const bound: Bound[] = [];
let pressed: string[] = [];
let pressedAt = 0;

/**
 * Do something when keys are pressed, while the component is shown. Keys typed into fields are left alone.
 * @param run not called when `null`
 * @example useShortcut({ keys: "g e", label: "Events", group: "Go to" }, () => navigate({ to: "/events" }))
 */
export function useShortcut(shortcut: Shortcut, run: (() => void) | null): void {
  const latest = useRef(run);
  latest.current = run;
  const { keys, label, group, native } = shortcut;
  const active = run !== null;
  useEffect(() => {
    if (!active) return;
    const entry: Bound = { keys, label, group, ...(native && { native }), run: () => latest.current?.() };
    bound.push(entry);
    return () => {
      bound.splice(bound.indexOf(entry), 1);
    };
  }, [keys, label, group, native, active]);
}

/** What can be pressed right now, each once, for the list of shortcuts. */
export function activeShortcuts(): Shortcut[] {
  return [...new Map(bound.map((shortcut) => [shortcut.keys, shortcut])).values()];
}

/** Listen to the keyboard; @returns what ends it. */
export function listenForShortcuts(): () => void {
  window.addEventListener("keydown", onKey);
  return () => window.removeEventListener("keydown", onKey);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const key = keyOf(event);
  if (key === undefined) return;
  const withMod = key.startsWith("mod+");
  if (!withMod && (isTyping(event.target) || isDialogOpen())) return;
  const now = performance.now();
  pressed = now - pressedAt > SEQUENCE_MS ? [key] : [...pressed, key].slice(-2);
  pressedAt = now;
  const found = find(pressed.join(" ")) ?? find(key);
  if (found === undefined) return;
  event.preventDefault();
  pressed = [];
  found.run();
}

function find(keys: string): Bound | undefined {
  return bound.findLast((shortcut) => shortcut.keys === keys && !shortcut.native);
}

/**
 * The key as shortcuts name it, whatever the keyboard: a letter counts by the state of Shift and not of Caps Lock, one of
 * another alphabet by the place where a Latin letter is, and a sign that takes AltGr is that sign.
 */
export function keyOf(event: KeyboardEvent): string | undefined {
  // Windows reports AltGr as Ctrl and Alt.
  const altGraph = event.getModifierState("AltGraph");
  if ((event.altKey && !altGraph) || MODIFIERS.has(event.key)) return undefined;
  const withMod = event.metaKey || (event.ctrlKey && !altGraph);
  const key = event.key.length === 1 ? signOf(event) : event.key.toLowerCase();
  if (!withMod) return key;
  return `mod+${event.shiftKey ? "shift+" : ""}${key.toLowerCase()}`;
}

const MODIFIERS = new Set(["Shift", "Control", "Meta", "Alt", "AltGraph", "CapsLock"]);

function signOf({ key, code, shiftKey }: KeyboardEvent): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII as a whole
  const foreign = /[^\x00-\x7f]/.test(key) && /^Key[A-Z]$/.test(code);
  const sign = foreign ? code.slice(3) : key;
  if (!/^[a-z]$/i.test(sign)) return sign;
  return shiftKey ? sign.toUpperCase() : sign.toLowerCase();
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"][data-state="open"], [role="menu"]') !== null;
}
