import { lazy, Suspense } from "react";
import { Skeleton } from "./states.tsx";

const Editor = lazy(() => import("./code-mirror.tsx"));

/** Something wrong in the text, shown at its place. */
export interface CodeProblem {
  /** Place in the text, characters from 0. */
  from: number;
  to: number;
  message: string;
  severity?: "error" | "warning";
}

export interface CodeEditorProps {
  /** Names the field. */
  label: string;
  value: string;
  onChange?(value: string): void;
  language: "json" | "javascript" | "typescript" | "text";
  /** Found in the text as it is; asked again a moment after each change. Syntax of JSON is checked in any case. */
  check?(value: string): CodeProblem[];
  /** Found by somebody else, the service for one; shown until there are others. */
  problems?: readonly CodeProblem[];
  /** A place to go to, characters from 0; each new object moves the cursor there. */
  goTo?: { at: number } | null;
  readOnly?: boolean;
  /** CSS; the editor scrolls within it. */
  height?: string;
  autoFocus?: boolean;
}

/** An editor for code, loaded when the first one is shown. Tab moves on as everywhere; Escape and then Tab, too. */
export function CodeEditor(props: CodeEditorProps) {
  const { height = "320px" } = props;
  return (
    <div style={{ height }} className="overflow-hidden rounded-md border border-line-strong bg-page">
      <Suspense fallback={<EditorSkeleton />}>
        <Editor {...props} />
      </Suspense>
    </div>
  );
}

function EditorSkeleton() {
  return (
    <div role="status" aria-label="Loading the editor" className="flex flex-col gap-2 p-3">
      <Skeleton className="w-40" />
      <Skeleton className="w-64" />
      <Skeleton className="w-52" />
    </div>
  );
}
