import { useQuery } from "@tanstack/react-query";
import { eventNamesQuery } from "../api/events.ts";
import { SOURCE_KINDS } from "../api/types.ts";
import { Select } from "../parts/field.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { MultiSelect } from "../parts/multi-select.tsx";
import { type Range, rangeSearch } from "../parts/range.ts";
import { TimeRange } from "../parts/time-range.tsx";
import { TypedFilter } from "../parts/typed-filter.tsx";
import { ALL_SOURCES, CLEARED, type EventSearch } from "./event-search.ts";

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
  service: "The service itself",
};

/** The line of filters; all of them stand in the address. */
export function EventFilters({ search, range, onChange }: EventFiltersProps) {
  const names = search.name?.split(",").filter(Boolean) ?? [];
  const known = [ALL_SOURCES, ...SOURCE_KINDS].some((kind) => kind === search.source);
  return (
    <FilterBar
      label="Filter events"
      first={<TimeRange range={range} onChange={(next) => onChange(rangeSearch(next))} />}
      active={[names.length, search.source, search.q, search.id].filter(Boolean).length}
      onClear={() => onChange(CLEARED)}
    >
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
        className="w-40"
        value={search.source ?? ""}
        onChange={(event) => onChange({ source: event.target.value || undefined })}
      >
        <option value="">Any sender</option>
        <option value={ALL_SOURCES}>Any, and the service itself</option>
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
    </FilterBar>
  );
}

function useNames(typed: string) {
  const prefix = typed.trim().replace(/\*$/, "");
  const { data, isLoading } = useQuery({ ...eventNamesQuery(prefix), enabled: prefix.length <= 200 });
  return { choices: (data ?? []).map((value) => ({ value })), loading: isLoading };
}
