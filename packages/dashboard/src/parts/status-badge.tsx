import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CirclePause,
  CircleSlash,
  CircleX,
  Clock,
  Copy,
  LoaderCircle,
  type LucideIcon,
  Moon,
} from "lucide-react";
import { classNames } from "./class-names.ts";

/** Every status that something can have here: of runs, steps and webhook requests. */
export type Status =
  | "completed"
  | "running"
  | "queued"
  | "failed"
  | "cancelled"
  | "skipped"
  | "filtered"
  | "ignored"
  | "planned"
  | "sleeping"
  | "accepted"
  | "duplicate"
  | "unrouted"
  | "paused"
  | "pending";

const LOOKS: Record<Status, { icon: LucideIcon; color: string; word: string }> = {
  completed: { icon: CircleCheck, color: "text-completed", word: "Completed" },
  running: { icon: LoaderCircle, color: "text-running", word: "Running" },
  queued: { icon: Clock, color: "text-queued", word: "Queued" },
  failed: { icon: CircleX, color: "text-failed", word: "Failed" },
  cancelled: { icon: Ban, color: "text-cancelled", word: "Cancelled" },
  skipped: { icon: CircleSlash, color: "text-ignored", word: "Skipped" },
  filtered: { icon: CircleSlash, color: "text-ignored", word: "Filtered" },
  ignored: { icon: CircleSlash, color: "text-ignored", word: "Ignored" },
  planned: { icon: CircleDashed, color: "text-queued", word: "Planned" },
  sleeping: { icon: Moon, color: "text-queued", word: "Sleeping" },
  accepted: { icon: CircleCheck, color: "text-completed", word: "Accepted" },
  duplicate: { icon: Copy, color: "text-ignored", word: "Duplicate" },
  unrouted: { icon: CircleHelp, color: "text-cancelled", word: "Unrouted" },
  paused: { icon: CirclePause, color: "text-queued", word: "Paused" },
  pending: { icon: Clock, color: "text-queued", word: "Pending" },
};

/** Colour, icon and word: none of them alone. */
export function StatusBadge({ status }: { status: Status }) {
  const { word } = LOOKS[status];
  return (
    <span className="inline-flex items-center gap-1.5 align-top whitespace-nowrap">
      <StatusIcon status={status} />
      <span>{word}</span>
    </span>
  );
}

/** The icon alone, for where the word stands beside it or in a label. */
export function StatusIcon({ status, size = 14 }: { status: Status; size?: number }) {
  const { icon: Icon, color } = LOOKS[status];
  return (
    <Icon
      size={size}
      aria-hidden
      className={classNames(
        "shrink-0",
        color,
        status === "running" && "animate-spin [animation-duration:1.6s]",
      )}
    />
  );
}

/** The word of a status. */
export function statusWord(status: Status): string {
  return LOOKS[status].word;
}
