import { ArrowLeft, X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { IconButton } from "./button.tsx";
import { useWindowWiderThan } from "./element-size.ts";
import { usePageTitle } from "./page-title.ts";
import { useShortcut } from "./shortcuts.ts";

interface SidePanelProps {
  /** Names the region, and in the browser's tab what is open. */
  label: string;
  title: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** Has the whole page on wide screens, too. */
  full?: boolean;
  onClose(): void;
  children: ReactNode;
}

/** From this width on there is room for a list and a thing beside it, px. */
const WIDE_PX = 1080;

/** One thing of a list: beside the list on wide screens, instead of it on narrow ones. Escape closes it. */
export function SidePanel({ label, title, actions, full = false, onClose, children }: SidePanelProps) {
  const wide = useWindowWiderThan(WIDE_PX) && !full;
  const panel = useRef<HTMLElement>(null);
  usePageTitle(label, "open");
  useShortcut({ keys: "escape", label: "Close the panel", group: "Lists" }, onClose);
  useEffect(() => {
    // As a page of its own it takes the focus; beside a list, the list keeps it.
    if (!wide) panel.current?.focus();
  }, [wide]);
  return (
    <section
      ref={panel}
      aria-label={label}
      tabIndex={-1}
      className={
        wide
          ? "animate-appear flex w-[min(46%,680px)] min-w-[420px] shrink-0 flex-col border-l bg-page outline-none"
          : "absolute inset-0 z-20 flex flex-col bg-page outline-none"
      }
    >
      <header className="flex min-h-12 shrink-0 items-center gap-1 border-b py-1.5 pr-2 pl-4">
        {!wide && (
          <IconButton
            label="Back to the list"
            icon={<ArrowLeft size={15} />}
            onClick={onClose}
            className="-ml-2"
          />
        )}
        <div className="min-w-0 flex-1">{title}</div>
        {actions}
        {wide && <IconButton label="Close" keys="escape" icon={<X size={15} />} onClick={onClose} />}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </section>
  );
}

/** A part of a panel under its heading. */
export function PanelSection({
  title,
  children,
  actions,
}: {
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <section className="border-b px-4 py-3">
      <div className="mb-1.5 flex min-h-7 items-center gap-2">
        <h3 className="flex-1 text-xs font-medium text-muted">{title}</h3>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Names and values, one line each. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-3">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="py-1 text-muted">{name}</dt>
          <dd className="min-w-0 py-1 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
