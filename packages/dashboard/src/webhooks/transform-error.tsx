import { CircleSlash, CircleX } from "lucide-react";
import type { LogLine, TransformError } from "../api/webhook-requests.ts";
import { classNames } from "../parts/class-names.ts";

/** What kinds of errors are, in words. */
const KINDS: Record<string, string> = {
  syntax: "The code cannot be read",
  runtime: "The transform threw",
  timeout: "It took too long",
  memory: "It took too much memory",
  result: "Its result cannot be used",
  throttled: "It was not run",
  too_large: "The request is too large for it",
  crashed: "The sandbox broke down",
  invalid_event: "It returned what is no event",
  event_filter: "The event filter kept it out",
  environment: "It went nowhere",
};

interface ErrorBoxProps {
  error: TransformError;
  /** Goes to its place in the editor. */
  onPlace?: (place: { line: number; column: number | null }) => void;
}

/** Why a transform made no event, with its place in the code. */
export function TransformErrorBox({ error, onPlace }: ErrorBoxProps) {
  const { kind, message, line, column, stack } = error;
  const place = line === null ? null : `line ${line}${column === null ? "" : `, column ${column}`}`;
  // A filter that keeps something out, or a branch that is not there, is no mistake of the code.
  const expected = kind === "event_filter" || kind === "environment";
  const Icon = expected ? CircleSlash : CircleX;
  return (
    <div
      className={classNames(
        "rounded-md border px-3 py-2",
        expected ? "bg-panel" : "border-failed/40 bg-failed-soft",
      )}
    >
      <p className="flex items-start gap-1.5 font-medium">
        <Icon
          size={14}
          aria-hidden
          className={classNames("mt-0.5 shrink-0", expected ? "text-muted" : "text-failed")}
        />
        <span className="min-w-0">
          {KINDS[kind] ?? "It failed"}{" "}
          {place !== null &&
            (onPlace === undefined ? (
              <span className="font-normal text-muted">at {place}</span>
            ) : (
              <button
                type="button"
                className="font-normal text-accent underline underline-offset-2"
                onClick={() => onPlace({ line: line!, column })}
              >
                at {place}
              </button>
            ))}
        </span>
      </p>
      <p className="mt-1 font-mono text-xs break-words whitespace-pre-wrap">{message}</p>
      {stack?.includes("\n") && <pre className="mt-1 overflow-x-auto text-xs text-muted">{stack}</pre>}
    </div>
  );
}

const LEVELS: Record<string, string> = { error: "text-failed", warn: "text-cancelled" };

/** What the transform wrote with `console`. */
export function ConsoleOutput({ logs }: { logs: readonly LogLine[] }) {
  if (logs.length === 0) return <p className="text-muted">Nothing was logged.</p>;
  return (
    <ol className="overflow-hidden rounded-md border font-mono text-xs">
      {logs.map(({ level, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines that never move
        <li key={at} className="flex gap-2 border-b px-2 py-1 last:border-b-0">
          <span className={classNames("w-10 shrink-0", LEVELS[level] ?? "text-muted")}>{level}</span>
          <span className="min-w-0 break-words whitespace-pre-wrap">{text}</span>
        </li>
      ))}
    </ol>
  );
}
