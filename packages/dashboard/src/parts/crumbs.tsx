import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";

interface CrumbsProps {
  /** The list it stands in. */
  to: "/functions" | "/webhooks";
  parent: string;
  children: ReactNode;
}

/** Title of a page of one thing, with the way back to its list; where there is little room, an arrow. */
export function Crumbs({ to, parent, children }: CrumbsProps) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Link to={to} search={{} as never} className="font-normal text-muted hover:text-text">
        <span className="max-sm:sr-only">{parent}</span>
        <ArrowLeft size={15} aria-hidden className="sm:hidden" />
      </Link>
      <span aria-hidden className="font-normal text-muted max-sm:hidden">
        /
      </span>
      <span className="min-w-0 truncate">{children}</span>
    </span>
  );
}
