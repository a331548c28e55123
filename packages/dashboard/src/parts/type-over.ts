import { EditorSelection, type EditorState, type Transaction } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

interface Range {
  from: number;
  to: number;
}

/**
 * What is typed over a selection, or deletes it, changes the state; the browser then has nothing to change.
 *
 * Chromium keeps the look of what is typed over, and copies what follows the selection with its look, as inline styles.
 * The page's policy refuses those, rightly, and the browser complains. It also flattens whatever stands in that line.
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
      const range = text === null ? null : selectedRange(view);
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
      // A composition cannot be prevented, only begin where nothing is left to replace.
      const { main } = view.state.selection;
      if (main.empty || isEditContext(view) || view.state.readOnly) return;
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

/** What the browser is about to replace; null when nothing is selected. */
function selectedRange(view: EditorView): Range | null {
  const { main } = view.state.selection;
  // The state knows the whole selection, the page only the lines that are in sight.
  if (!main.empty) return main;
  // The page is the first to know of a selection that was not made by a key or the pointer.
  const selection = view.contentDOM.ownerDocument.getSelection();
  if (selection === null || selection.isCollapsed) return null;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  if (!view.contentDOM.contains(startContainer) || !view.contentDOM.contains(endContainer)) return null;
  return { from: view.posAtDOM(startContainer, startOffset), to: view.posAtDOM(endContainer, endOffset) };
}

function replace(state: EditorState, { from, to }: Range, text: string, userEvent: string): Transaction {
  const insert = state.toText(text);
  const selection = EditorSelection.cursor(from + insert.length);
  return state.update({ changes: { from, to, insert }, selection, userEvent, scrollIntoView: true });
}

/** On Android, where keys are not told of, CodeMirror takes what is typed from elsewhere, and changes the page itself. */
const isEditContext = (view: EditorView) =>
  (view.contentDOM as { editContext?: unknown }).editContext instanceof Object;
