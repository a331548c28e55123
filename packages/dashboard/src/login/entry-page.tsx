import type { ReactNode } from "react";
import { usePageTitle } from "../parts/page-title.ts";
import { Toasts } from "../parts/toast.tsx";
import { TooltipProvider } from "../parts/tooltip.tsx";
import { version } from "../place.ts";

interface EntryPageProps {
  title: string;
  /** One sentence below the title. */
  note?: ReactNode;
  children: ReactNode;
}

/** A page for those who are not in yet: one form in the middle. */
export function EntryPage({ title, note, children }: EntryPageProps) {
  usePageTitle(title);
  return (
    <TooltipProvider>
      <main className="flex min-h-full flex-col items-center justify-center gap-6 bg-panel p-4">
        <div className="w-full max-w-sm rounded-md border bg-page p-6">
          <h1 className="text-lg font-semibold">{title}</h1>
          {note !== undefined && <p className="mt-1 text-muted">{note}</p>}
          <div className="mt-5">{children}</div>
        </div>
        <p className="text-xs text-muted">svc {version}</p>
      </main>
      <Toasts />
    </TooltipProvider>
  );
}
