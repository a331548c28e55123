import { useQuery } from "@tanstack/react-query";
import { allFunctionsQuery, appsQuery } from "../api/functions.ts";
import { RUN_STATUSES } from "../api/types.ts";
import { Select } from "../parts/field.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { MultiSelect } from "../parts/multi-select.tsx";
import { type Range, rangeSearch } from "../parts/range.ts";
import { StatusBadge, statusWord } from "../parts/status-badge.tsx";
import { TimeRange } from "../parts/time-range.tsx";
import { CLEARED, type RunSearch } from "./run-search.ts";

interface RunFiltersProps {
  search: RunSearch;
  range: Range;
  onChange(change: RunSearch): void;
}

/** Functions that one request may ask for. */
const MAX_FUNCTIONS = 20;
/** Functions that the list of choices shows. */
const MAX_CHOICES = 50;

/** The line of filters; all of them stand in the address. */
export function RunFilters({ search, range, onChange }: RunFiltersProps) {
  const apps = useQuery(appsQuery()).data?.data ?? [];
  const functions = split(search.function);
  const app = search.app ?? "";
  return (
    <FilterBar
      label="Filter runs"
      first={<TimeRange range={range} onChange={(next) => onChange(rangeSearch(next))} />}
      active={[search.status, search.function, app].filter(Boolean).length}
      onClear={() => onChange(CLEARED)}
    >
      <MultiSelect
        label="Status"
        chosen={split(search.status)}
        onChange={(chosen) => onChange({ status: chosen.join(",") || undefined })}
        useChoices={useStatuses}
      />
      <MultiSelect
        label="Function"
        chosen={functions}
        onChange={(chosen) => onChange({ function: chosen.slice(0, MAX_FUNCTIONS).join(",") || undefined })}
        useChoices={useFunctions}
        accepts={(typed) => !typed.includes(",") && typed.length <= 200}
        hint="Functions that are gone can be typed by their id."
      />
      <Select
        label="App"
        hiddenLabel
        className="w-36"
        value={app}
        onChange={(event) => onChange({ app: event.target.value || undefined })}
      >
        <option value="">Any app</option>
        {apps.map(({ id }) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
        {app !== "" && !apps.some(({ id }) => id === app) && <option value={app}>{app}</option>}
      </Select>
    </FilterBar>
  );
}

function split(list: string | undefined): string[] {
  return list?.split(",").filter(Boolean) ?? [];
}

/** `skipped` comes with flow control, which is not there yet. */
const STATUSES = RUN_STATUSES.filter((status) => status !== "skipped");

function useStatuses(typed: string) {
  const wanted = typed.trim().toLowerCase();
  const choices = STATUSES.filter((status) => statusWord(status).toLowerCase().includes(wanted)).map(
    (value) => ({
      value,
      label: <StatusBadge status={value} />,
    }),
  );
  return { choices, loading: false };
}

function useFunctions(typed: string) {
  const { data, isLoading } = useQuery(allFunctionsQuery());
  const wanted = typed.trim().toLowerCase();
  const found = (data ?? []).filter(
    ({ id, name }) => id.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted),
  );
  return {
    choices: found.slice(0, MAX_CHOICES).map(({ id, name }) => ({
      value: id,
      label: (
        <span className="font-sans text-sm">
          {name} <span className="font-mono text-xs text-muted">{id}</span>
        </span>
      ),
    })),
    loading: isLoading,
  };
}
