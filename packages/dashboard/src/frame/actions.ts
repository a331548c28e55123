/** Dialogs that any page can open: one at a time, over whatever is shown. */
import { useSyncExternalStore } from "react";

export type ActionDialog = "palette" | "shortcuts" | "send";

interface Shown {
  dialog: ActionDialog | null;
  /** JSON that the dialog for sending begins with. */
  draft: string | null;
}

let shown: Shown = { dialog: null, draft: null };
const listeners = new Set<() => void>();

function show(next: Shown): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** @example openDialog("send", JSON.stringify(event, null, 2)) */
export function openDialog(dialog: ActionDialog, draft: string | null = null): void {
  show({ dialog, draft });
}

/** What is open, for the frame that shows it. */
export function useActionDialogs() {
  const { dialog, draft } = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  return {
    shown: dialog,
    draft,
    open: (next: ActionDialog) => openDialog(next),
    close: () => show({ dialog: null, draft: null }),
  };
}
