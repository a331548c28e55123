import type { ReactNode } from "react";
import { usePageTitle } from "./page-title.ts";

interface PageHeaderProps {
  title: ReactNode;
  /** Stands beside the title, muted. */
  note?: ReactNode;
  /** Buttons at the right. */
  children?: ReactNode;
}

/** The first line of a page, 48 px high. */
export function PageHeader({ title, note, children }: PageHeaderProps) {
  usePageTitle(title);
  return (
    <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-2 border-b px-4 py-2">
      <h1 className="min-w-0 text-base font-semibold">{title}</h1>
      {note !== undefined && <span className="text-muted">{note}</span>}
      <span className="flex-1" />
      {children}
    </header>
  );
}
