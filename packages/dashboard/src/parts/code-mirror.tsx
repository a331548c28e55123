import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, forceLinting, linter, lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, StateEffect } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import { nonce } from "../place.ts";
import type { CodeEditorProps } from "./code-editor.tsx";
import { typeOver } from "./type-over.ts";

/** Pause after the last key before the text is checked, ms. */
const CHECK_DELAY_MS = 250;

/** Asks for another check though the text is the same. */
const problemsChanged = StateEffect.define<null>();

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "transparent", fontSize: "12px" },
  "&.cm-focused": { outline: "none" },
  // What is edited is shown as it is typed: `===` stays three characters.
  ".cm-scroller": { fontFamily: "var(--font-mono)", fontVariantLigatures: "none", lineHeight: "20px" },
  ".cm-gutters": {
    backgroundColor: "var(--panel)",
    color: "var(--muted)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine, .cm-activeLineGutter": {
    backgroundColor: "color-mix(in srgb, var(--hover) 70%, transparent)",
  },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "light-dark(#c7d2fe, #3b3875) !important",
  },
  ".cm-tooltip, .cm-panels": {
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-foldPlaceholder": { backgroundColor: "var(--hover)", border: "none", color: "var(--muted)" },
  ".cm-searchMatch": { backgroundColor: "var(--mark)" },
});

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--json-key)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--json-string)" },
  { tag: [tags.number, tags.typeName, tags.className], color: "var(--json-number)" },
  { tag: [tags.keyword, tags.bool, tags.null, tags.operatorKeyword], color: "var(--json-word)" },
  { tag: [tags.comment], color: "var(--muted)", fontStyle: "italic" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--accent)" },
]);

function grammarOf(language: CodeEditorProps["language"]): Extension {
  if (language === "text") return [];
  return language === "json" ? json() : javascript({ typescript: language === "typescript" });
}

/** CodeMirror itself; `CodeEditor` loads it. */
export default function CodeMirror(props: CodeEditorProps) {
  const { label, value, language, readOnly = false, autoFocus = false } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  latest.current = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is taken over below, without a new editor
  useEffect(() => {
    const editor = new EditorView({
      parent: place.current!,
      state: EditorState.create({ doc: value, extensions: extensionsFor() }),
    });
    view.current = editor;
    if (autoFocus) editor.focus();
    return () => editor.destroy();
  }, [language, readOnly, label]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other problems are what it waits for
  useEffect(() => {
    if (view.current === null) return;
    view.current.dispatch({ effects: problemsChanged.of(null) });
    forceLinting(view.current);
  }, [props.problems]);

  const { goTo } = props;
  useEffect(() => {
    const editor = view.current;
    if (editor === null || goTo === undefined || goTo === null) return;
    const anchor = Math.min(goTo.at, editor.state.doc.length);
    editor.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
    });
    editor.focus();
  }, [goTo]);

  function extensionsFor(): Extension[] {
    return [
      EditorView.cspNonce.of(nonce),
      EditorView.contentAttributes.of({ "aria-label": label }),
      EditorState.readOnly.of(readOnly),
      EditorView.editable.of(!readOnly),
      EditorState.tabSize.of(2),
      grammarOf(language),
      lineNumbers(),
      foldGutter(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      bracketMatching(),
      closeBrackets(),
      typeOver(),
      indentOnInput(),
      autocompletion(),
      lintGutter(),
      linter(check, {
        delay: CHECK_DELAY_MS,
        needsRefresh: (update) =>
          update.transactions.some(({ effects }) => effects.some((effect) => effect.is(problemsChanged))),
      }),
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...completionKeymap,
        ...lintKeymap,
      ]),
      EditorView.lineWrapping,
      theme,
      syntaxHighlighting(colors),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) latest.current.onChange?.(update.state.doc.toString());
      }),
    ];
  }

  function check(editor: EditorView): Diagnostic[] {
    const length = editor.state.doc.length;
    if (length === 0) return [];
    const syntax = language === "json" ? jsonParseLinter()(editor) : [];
    if (syntax.length > 0) return syntax;
    const found = latest.current.check?.(editor.state.doc.toString()) ?? [];
    return [...found, ...(latest.current.problems ?? [])].map(
      ({ from, to, message, severity = "error" }) => ({
        from: Math.min(from, length),
        to: Math.min(to, length),
        message,
        severity,
      }),
    );
  }

  return <div ref={place} className="h-full [&_.cm-editor]:h-full" />;
}
