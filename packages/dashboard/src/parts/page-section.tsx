import type { ReactNode } from "react";

interface PageSectionProps {
  title: string;
  /** What it is about, muted. */
  note?: ReactNode;
  /** Buttons at the right of the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page that is no list: its heading beside it on wide screens, above it on narrow ones. */
export function PageSection({ title, note, actions, children }: PageSectionProps) {
  return (
    <section className="grid gap-x-8 gap-y-3 border-b px-4 py-5 lg:grid-cols-[14rem_minmax(0,42rem)]">
      <div>
        <div className="flex min-h-7 items-center gap-2">
          <h2 className="flex-1 font-semibold">{title}</h2>
          {actions}
        </div>
        {note !== undefined && <p className="text-muted">{note}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
