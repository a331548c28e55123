import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useSyncExternalStore } from "react";

export interface Toast {
  id: number;
  kind: "done" | "failed";
  text: string;
  /** A second thing to do about it. */
  action?: { label: string; run(): void };
}

/** Shown at once; the oldest make room. */
const MAX_TOASTS = 3;
const SHOWN_MS = 5_000;
/** Bad news stays longer: it has more to read. */
const FAILED_SHOWN_MS = 10_000;

let toasts: Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function replace(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/**
 * Say in a corner what has happened.
 * @example toast("done", "The event was sent.")
 */
export function toast(kind: Toast["kind"], text: string, action?: Toast["action"]): void {
  const id = nextId++;
  replace([...toasts.slice(1 - MAX_TOASTS), { id, kind, text, ...(action && { action }) }]);
  setTimeout(() => dismiss(id), kind === "failed" ? FAILED_SHOWN_MS : SHOWN_MS);
}

/** Say in a corner why something did not happen. */
export function toastError(error: unknown): void {
  toast("failed", error instanceof Error ? error.message : String(error));
}

function dismiss(id: number): void {
  replace(toasts.filter((each) => each.id !== id));
}

/** The corner itself. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <section
      aria-label="Messages"
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 z-[60] flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-2"
    >
      {shown.map(({ id, kind, text, action }) => (
        <div
          key={id}
          className="animate-appear pointer-events-auto flex items-start gap-2 rounded-md border border-line-strong bg-raised p-3"
        >
          {kind === "done" ? (
            <CircleCheck size={16} aria-hidden className="mt-px shrink-0 text-completed" />
          ) : (
            <CircleAlert size={16} aria-hidden className="mt-px shrink-0 text-failed" />
          )}
          <div className="min-w-0 flex-1 break-words">
            {text}
            {action !== undefined && (
              <button
                type="button"
                className="mt-1 block font-medium text-accent hover:underline"
                onClick={() => {
                  dismiss(id);
                  action.run();
                }}
              >
                {action.label}
              </button>
            )}
          </div>
          <button
            type="button"
            aria-label="Dismiss"
            className="text-muted hover:text-text"
            onClick={() => dismiss(id)}
          >
            <X size={14} aria-hidden />
          </button>
        </div>
      ))}
    </section>
  );
}
