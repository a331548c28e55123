import { ChevronDown, X } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { Button } from "./button.tsx";
import { Drop } from "./drop.tsx";

const MultiSelectList = lazy(() => import("./multi-select-list.tsx"));

export interface Choice {
  value: string;
  label?: ReactNode;
}

export interface MultiSelectProps {
  /** What is chosen: `Name`. */
  label: string;
  chosen: readonly string[];
  onChange(chosen: string[]): void;
  /** What fits what was typed; called while typing. */
  useChoices(typed: string): { choices: Choice[]; loading: boolean };
  /** Whether text that is no choice can be taken: a pattern such as `order/*`. */
  accepts?(typed: string): boolean;
  /** Below the field. */
  hint?: string;
}

/** Any number of values, found by typing; those chosen are counted on the button. */
export function MultiSelect(props: MultiSelectProps) {
  const { label, chosen, onChange } = props;
  const active = chosen.length > 0;
  const summary = chosen.length === 1 ? chosen[0]! : `${chosen.length} chosen`;
  return (
    <span className="inline-flex">
      <Drop
        label={`Filter by ${label.toLowerCase()}`}
        trigger={
          <Button
            className={active ? "rounded-r-none !border-accent !text-accent" : ""}
            aria-label={active ? undefined : `Filter by ${label.toLowerCase()}`}
            title={active ? chosen.join(", ") : undefined}
          >
            {label}
            {active && <span className="max-w-40 truncate font-normal">{summary}</span>}
            <ChevronDown size={12} aria-hidden className="text-muted" />
          </Button>
        }
        className="w-72"
      >
        <Suspense fallback={<div className="h-40" />}>
          <MultiSelectList {...props} />
        </Suspense>
      </Drop>
      {active && (
        <button
          type="button"
          aria-label={`Clear ${label.toLowerCase()}`}
          className="h-7 rounded-r-md border border-l-0 border-accent px-1.5 text-accent hover:bg-hover"
          onClick={() => onChange([])}
        >
          <X size={12} aria-hidden />
        </button>
      )}
    </span>
  );
}
