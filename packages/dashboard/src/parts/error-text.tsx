import type { RunError } from "../api/types.ts";
import { CopyButton } from "./copy-button.tsx";

/** What an app has thrown: name, message, stack. */
export function ErrorText({ error }: { error: RunError }) {
  const { name, message, stack } = error;
  const whole = stack ?? `${name}: ${message}`;
  // Stacks begin with the name and the message, which stand above them already.
  const frames = stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  return (
    <div className="rounded-md border border-l-2 border-l-failed bg-panel">
      <div className="flex items-start gap-2 py-1.5 pr-1.5 pl-3">
        <p className="min-w-0 flex-1 py-0.5 break-words">
          <span className="font-medium text-failed">{name}</span>:{" "}
          <span className="whitespace-pre-wrap">{message}</span>
        </p>
        <CopyButton text={whole} label="Copy the error" />
      </div>
      {frames.length > 0 && (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-64 overflow-auto border-t px-3 py-2 text-xs text-muted"
        >
          {frames.map((line) => line.trim()).join("\n")}
        </pre>
      )}
    </div>
  );
}
