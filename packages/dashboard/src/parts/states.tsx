/** What a page shows when it has nothing to show: not yet, nothing there, or not possible. */
import { CircleAlert, RotateCw } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { ApiError } from "../api/request.ts";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { CopyButton } from "./copy-button.tsx";

/** A grey bar in the place of a text that loads. */
export function Skeleton({ className = "" }: { className?: string }) {
  return <span aria-hidden className={classNames("animate-breathe block h-3 rounded bg-line", className)} />;
}

/** Rows that load, as high as a table's. */
export function SkeletonRows({ rows = 8 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all alike
        <div key={i} className="flex h-9 items-center gap-4 border-b px-4">
          <Skeleton className="w-20" />
          <Skeleton className={["w-40", "w-56", "w-32"][i % 3]!} />
          <span className="flex-1" />
          <Skeleton className="w-16" />
        </div>
      ))}
    </div>
  );
}

interface EmptyStateProps {
  title: string;
  /** What to do next. */
  children?: ReactNode;
  /** A command that does it. */
  command?: string;
  action?: ReactNode;
}

/** Nothing is there yet: says so, and what to do about it. */
export function EmptyState({ title, children, command, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex w-full max-w-xl flex-col items-start gap-2 px-6 py-12">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children !== undefined && <div className="text-muted">{children}</div>}
      {command !== undefined && <Command text={command} />}
      {action !== undefined && <div className="mt-2 flex gap-2">{action}</div>}
    </div>
  );
}

/** A command to be copied. */
export function Command({ text }: { text: string }) {
  return (
    <div className="mt-1 flex w-full items-start gap-2 rounded-md border bg-panel py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 py-1 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text.split(/(?<= )(?=-)/).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text that never move
          <Fragment key={at}>{/^-{1,2}[\w-]+/.test(part) ? <Flag part={part} /> : part}</Fragment>
        ))}
      </code>
      <CopyButton text={text} label="Copy the command" />
    </div>
  );
}

/** What begins with an option: no line ends between its hyphen and its letters. */
function Flag({ part }: { part: string }) {
  const [flag] = /^-{1,2}[\w-]+/.exec(part)!;
  return (
    <>
      <span className="whitespace-nowrap">{flag}</span>
      {part.slice(flag.length)}
    </>
  );
}

interface ErrorStateProps {
  error: unknown;
  onRetry?: (() => void) | undefined;
}

/** Something could not be read: the API's own sentence, and another try. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof ApiError && error.status > 0 ? `${error.status} ${error.code}` : null;
  return (
    <div role="alert" className="mx-auto flex w-full max-w-xl items-start gap-3 px-6 py-12">
      <CircleAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-failed" />
      <div className="flex min-w-0 flex-col items-start gap-2">
        <p className="text-base break-words">{message}</p>
        {code !== null && <p className="font-mono text-xs text-muted">{code}</p>}
        {onRetry !== undefined && (
          <Button icon={<RotateCw size={13} aria-hidden />} onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}
