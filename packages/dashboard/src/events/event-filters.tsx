import { useQuery } from "@tanstack/react-query";
import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { eventNamesQuery } from "../api/events.ts";
import { SOURCE_KINDS } from "../api/types.ts";
import { Button } from "../parts/button.tsx";
import { Input, Select } from "../parts/field.tsx";
import { MultiSelect } from "../parts/multi-select.tsx";
import { type Range, rangeSearch } from "../parts/range.ts";
import { useShortcut } from "../parts/shortcuts.ts";
import { TimeRange } from "../parts/time-range.tsx";
import { type EventSearch, isFiltered } from "./event-search.ts";

interface EventFiltersProps {
  search: EventSearch;
  range: Range;
  onChange(change: EventSearch): void;
}

/** Names that one request may ask for. */
const MAX_NAMES = 20;

const SOURCE_LABELS: Record<(typeof SOURCE_KINDS)[number], string> = {
  key: "Event key",
  webhook: "Webhook",
  step: "A run's step",
  api: "API",
  cron: "Schedule",
  service: "The service",
};

/** The line of filters; all of them stand in the address. */
export function EventFilters({ search, range, onChange }: EventFiltersProps) {
  const names = search.name?.split(",").filter(Boolean) ?? [];
  const known = SOURCE_KINDS.some((kind) => kind === search.source);
  return (
    <div role="search" aria-label="Filter events" className="flex flex-wrap items-center gap-2 px-4 py-2">
      <TimeRange range={range} onChange={(next) => onChange(rangeSearch(next))} />
      <MultiSelect
        label="Name"
        chosen={names}
        onChange={(chosen) => onChange({ name: chosen.slice(0, MAX_NAMES).join(",") || undefined })}
        useChoices={useNames}
        accepts={(typed) => !typed.includes(",") && typed.length <= 200}
        hint="A trailing * stands for any rest: order/*"
      />
      <Select
        label="Source"
        hiddenLabel
        className="w-36"
        value={search.source ?? ""}
        onChange={(event) => onChange({ source: event.target.value || undefined })}
      >
        <option value="">Any source</option>
        {SOURCE_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {SOURCE_LABELS[kind]}
          </option>
        ))}
        {search.source !== undefined && !known && <option value={search.source}>{search.source}</option>}
      </Select>
      <TypedFilter
        label="Text in name, ids or data"
        placeholder="Search"
        value={search.q ?? ""}
        onChange={(q) => onChange({ q: q || undefined })}
        keys="/"
        className="min-w-28 max-w-52 flex-1"
      />
      <TypedFilter
        label="Event id"
        placeholder="Id"
        value={search.id ?? ""}
        onChange={(id) => onChange({ id: id.trim() || undefined })}
        className="min-w-24 max-w-40 flex-1"
      />
      {isFiltered(search) && (
        <Button
          look="quiet"
          icon={<X size={13} aria-hidden />}
          onClick={() => onChange({ name: undefined, source: undefined, id: undefined, q: undefined })}
        >
          Clear
        </Button>
      )}
    </div>
  );
}

function useNames(typed: string) {
  const prefix = typed.trim().replace(/\*$/, "");
  const { data, isLoading } = useQuery({ ...eventNamesQuery(prefix), enabled: prefix.length <= 200 });
  return { choices: (data ?? []).map((value) => ({ value })), loading: isLoading };
}

interface TypedFilterProps {
  label: string;
  placeholder: string;
  value: string;
  onChange(value: string): void;
  keys?: string;
  className: string;
}

/** Pause after the last key before what was typed takes effect, ms. */
const TYPING_MS = 250;

/** A field that filters a moment after typing. */
function TypedFilter({ label, placeholder, value, onChange, keys, className }: TypedFilterProps) {
  const [typed, setTyped] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => latest.current(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  useShortcut(
    { keys: keys ?? "/", label: "Search", group: "Lists" },
    keys === undefined ? null : () => field.current?.focus(),
  );
  return (
    <Input
      ref={field}
      label={label}
      hiddenLabel
      type="search"
      maxLength={200}
      className={className}
      placeholder={placeholder}
      icon={<Search size={12} aria-hidden />}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") onChange(typed);
        if (event.key !== "Escape") return;
        // The browser would clear the field.
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}
