import { ListFilter, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { Drop } from "./drop.tsx";
import { useWidth } from "./element-size.ts";

interface FilterBarProps {
  /** What is filtered: `Filter events`. */
  label: string;
  /** Always in sight, before the others: the range of time, or the search. */
  first: ReactNode;
  /** How many of the other filters are on. */
  active: number;
  /** Turns all of them off; `first` too, where that is a filter. */
  onClear(): void;
  /** Whether there is something to clear; `active > 0` if not said. */
  clearable?: boolean;
  /** A line below: the list follows at once, no chart. */
  lined?: boolean;
  children: ReactNode;
}

/** Below this width the filters would take several lines, px. */
const ROOM_PX = 640;

/** The filters of a list in one line; where there is no room for it, all but the first in a popover. */
export function FilterBar(props: FilterBarProps) {
  const { label, first, active, onClear, clearable = active > 0, lined = false, children } = props;
  const [measure, width] = useWidth();
  const narrow = width > 0 && width < ROOM_PX;
  const clear = clearable && (
    <Button look="quiet" icon={<X size={13} aria-hidden />} onClick={onClear}>
      Clear
    </Button>
  );
  return (
    <div
      ref={measure}
      role="search"
      aria-label={label}
      className={classNames(
        "flex min-h-11 shrink-0 flex-wrap items-center gap-2 px-4 py-2",
        lined && "border-b",
      )}
    >
      {first}
      {narrow ? (
        <>
          <Drop
            label={label}
            trigger={
              <Button
                icon={<ListFilter size={13} aria-hidden />}
                className={active > 0 ? "!border-accent !text-accent" : ""}
              >
                Filters
                {active > 0 && <span className="tabular">{active}</span>}
              </Button>
            }
            className="flex w-72 flex-col gap-3 p-3 [&>*]:!w-full [&>*]:!max-w-none"
          >
            {children}
          </Drop>
          {clear}
        </>
      ) : (
        <>
          {children}
          {clear}
        </>
      )}
    </div>
  );
}
