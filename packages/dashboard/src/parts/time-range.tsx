import { CalendarClock, ChevronDown } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { Drop } from "./drop.tsx";
import { Input } from "./field.tsx";
import { RANGE_LABELS, RANGES, type Range, type RangeName } from "./range.ts";

interface TimeRangeProps {
  range: Range;
  onChange(range: RangeName | { after: number; before: number }): void;
}

const SHORT = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** Chooses a range of time: one that ends now, or any other. */
export function TimeRange({ range, onChange }: TimeRangeProps) {
  const [open, setOpen] = useState(false);
  const { after, before } = range.bounds();
  const label =
    range.name === null ? `${SHORT.format(after)} – ${SHORT.format(before)}` : RANGE_LABELS[range.name];
  const choose: TimeRangeProps["onChange"] = (next) => {
    onChange(next);
    setOpen(false);
  };
  return (
    <Drop
      label="Time range"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button aria-label={`Time range: ${label}`} icon={<CalendarClock size={13} aria-hidden />}>
          {label}
          <ChevronDown size={12} aria-hidden className="text-muted" />
        </Button>
      }
      className="w-64 p-1"
    >
      <div className="flex flex-col">
        {RANGES.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === range.name}
            className={classNames(
              "flex h-7 items-center justify-between rounded px-2 text-left hover:bg-hover",
              name === range.name && "font-medium text-accent",
            )}
            onClick={() => choose(name)}
          >
            {RANGE_LABELS[name]}
          </button>
        ))}
      </div>
      <CustomRange after={after} before={before ?? Date.now()} onChoose={choose} />
    </Drop>
  );
}

interface CustomRangeProps {
  after: number;
  before: number;
  onChoose(range: { after: number; before: number }): void;
}

function CustomRange({ after, before, onChoose }: CustomRangeProps) {
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [from, to] = [Date.parse(String(form.get("after"))), Date.parse(String(form.get("before")))];
    if (from < to) onChoose({ after: from, before: to });
    else setProblem("The end must be later than the beginning.");
  };
  return (
    <form onSubmit={submit} className="mt-1 flex flex-col gap-2 border-t p-2">
      <Input
        label="From"
        name="after"
        type="datetime-local"
        step={1}
        required
        defaultValue={localText(after)}
      />
      <Input
        label="To"
        name="before"
        type="datetime-local"
        step={1}
        required
        defaultValue={localText(before)}
        error={problem}
      />
      <Button type="submit">Show this range</Button>
    </form>
  );
}

/** A moment as a field of the reader's time zone takes it. */
function localText(time: number): string {
  const offsetMs = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offsetMs).toISOString().slice(0, 19);
}
