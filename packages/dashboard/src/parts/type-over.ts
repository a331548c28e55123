import { EditorSelection, type EditorState, type Transaction } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

interface Range {
  from: number;
  to: number;
}

/**
 * What is typed over a selection, or deletes it, changes the state; the browser then has nothing to change.
 *
 * Chromium joins lines by copying what follows the selection together with its look, as inline styles. The page's policy
 * refuses those, rightly, and the browser complains with each key. It also flattens whatever stands in that line.
 */
export function typeOver() {
  let keyIsDown = false;
  return EditorView.domEventHandlers({
    keydown() {
      keyIsDown = true;
    },
    keyup() {
      keyIsDown = false;
    },
    beforeinput(event, view) {
      if (event.isComposing || isEditContext(view) || view.state.readOnly) return false;
      // By menu or by dragging away. What keys delete is the key map's, which on iOS does so only after this event.
      const isDeletion = event.inputType.startsWith("delete") && !keyIsDown;
      const text = event.inputType === "insertText" ? event.data : isDeletion ? "" : null;
      const range = text === null ? null : replacedRange(event, view);
      if (text === null || range === null) return false;
      if (isDeletion) view.dispatch(replace(view.state, range, "", "delete.selection"));
      else type(view, range, text);
      return true;
    },
    dragstart(event) {
      // Code is text wherever it is dropped; its look would be inline styles there, too.
      event.dataTransfer?.clearData("text/html");
    },
    compositionstart(_, view) {
      // A composition cannot be prevented, only begin where nothing is left to join.
      const { main } = view.state.selection;
      if (isEditContext(view) || view.state.readOnly || !spansLines(view.state, main)) return;
      view.dispatch(replace(view.state, main, "", "delete.selection"));
    },
  });
}

/** As typed text that the browser has inserted: closing brackets, completion and others may have it their way. */
function type(view: EditorView, range: Range, text: string): void {
  const insert = () => replace(view.state, range, text, "input.type");
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handler) => handler(view, range.from, range.to, text, insert))) view.dispatch(insert());
}

/** What the browser is about to replace; null when that is best left to it. */
function replacedRange(event: InputEvent, view: EditorView): Range | null {
  const { main } = view.state.selection;
  // The state knows the whole selection, the page only the lines that are in sight.
  if (!main.empty) return main;
  const target = event.getTargetRanges()[0];
  if (target === undefined || !view.contentDOM.contains(target.startContainer)) return null;
  const from = view.posAtDOM(target.startContainer, target.startOffset);
  const to = view.posAtDOM(target.endContainer, target.endOffset);
  // Within a line it may be an accent or a correction, which the browser follows up.
  return spansLines(view.state, { from, to }) ? { from, to } : null;
}

function replace(state: EditorState, { from, to }: Range, text: string, userEvent: string): Transaction {
  const insert = state.toText(text);
  const selection = EditorSelection.cursor(from + insert.length);
  return state.update({ changes: { from, to, insert }, selection, userEvent, scrollIntoView: true });
}

const spansLines = (state: EditorState, { from, to }: Range) => state.doc.lineAt(from).to < to;

/** On Android, where keys are not told of, CodeMirror takes what is typed from elsewhere, and changes the page itself. */
const isEditContext = (view: EditorView) =>
  (view.contentDOM as { editContext?: unknown }).editContext instanceof Object;
