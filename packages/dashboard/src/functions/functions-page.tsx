import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { allFunctionsQuery, functionActivityQuery } from "../api/functions.ts";
import type { Fn, FunctionActivity } from "../api/types.ts";
import { isBranchParent, OfOneBranch } from "../parts/branch-parent.tsx";
import { Button } from "../parts/button.tsx";
import { Select } from "../parts/field.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { TypedFilter } from "../parts/typed-filter.tsx";
import { apiCommand, mode } from "../place.ts";
import { FUNCTION_COLUMNS, type FunctionRow } from "./function-columns.tsx";
import { triggerText } from "./function-texts.ts";

/** What the address of this page says. */
interface FunctionsSearch {
  /** Text in name, id or triggers. */
  q?: string | undefined;
  app?: string | undefined;
  /** `paused`, or `failing` in the last day. */
  state?: string | undefined;
}

const REFRESH_MS = 15_000;
const CLEARED: FunctionsSearch = { q: undefined, app: undefined, state: undefined };

/** What events can start. */
export function FunctionsPage() {
  const search = useSearch({ strict: false }) as FunctionsSearch;
  const navigate = useNavigate();
  const change = (part: FunctionsSearch) =>
    navigate({
      to: ".",
      search: ((before: FunctionsSearch) => ({ ...before, ...part })) as never,
      replace: true,
    });
  const functions = useQuery({ ...allFunctionsQuery(), refetchInterval: REFRESH_MS });
  const activity = useQuery({ ...functionActivityQuery(), refetchInterval: REFRESH_MS });
  const rows = useMemo(
    () => rowsOf(functions.data ?? [], activity.data, search),
    [functions.data, activity.data, search],
  );
  const apps = [...new Set(functions.data?.map(({ app }) => app))].sort();
  const filtered = Boolean(search.q || search.app || search.state);

  return (
    <>
      <PageHeader title="Functions" note={functions.data && countText(rows.length, functions.data.length)} />
      <FilterBar
        label="Filter functions"
        lined
        first={
          <TypedFilter
            label="Text in name, id or triggers"
            placeholder="Search"
            value={search.q ?? ""}
            onChange={(q) => change({ q: q || undefined })}
            keys="/"
            className="max-w-56 min-w-24 flex-1"
          />
        }
        active={[search.app, search.state].filter(Boolean).length}
        clearable={filtered}
        onClear={() => change(CLEARED)}
      >
        <Select
          label="App"
          hiddenLabel
          className="w-36"
          value={search.app ?? ""}
          onChange={(event) => change({ app: event.target.value || undefined })}
        >
          <option value="">Any app</option>
          {apps.map((app) => (
            <option key={app}>{app}</option>
          ))}
          {search.app && !apps.includes(search.app) && <option>{search.app}</option>}
        </Select>
        <Select
          label="State"
          hiddenLabel
          className="w-36"
          value={search.state ?? ""}
          onChange={(event) => change({ state: event.target.value || undefined })}
        >
          <option value="">Any state</option>
          <option value="failing">With failed runs</option>
          <option value="paused">Paused</option>
        </Select>
      </FilterBar>
      {functions.isPending || (search.state === "failing" && activity.isPending) ? (
        <SkeletonRows />
      ) : functions.data === undefined ? (
        <ErrorState error={functions.error} onRetry={() => functions.refetch()} />
      ) : functions.data.length === 0 ? (
        <NoFunctions />
      ) : rows.length === 0 ? (
        <EmptyState
          title="No function fits these filters"
          action={<Button onClick={() => change(CLEARED)}>Clear the filters</Button>}
        />
      ) : (
        <Table
          label="Functions"
          rows={rows}
          columns={FUNCTION_COLUMNS}
          rowKey={(fn) => fn.id}
          rowLink={(fn) => ({ to: "/functions/$functionId", params: { functionId: fn.id } as never })}
          footer={
            activity.isError && (
              <p role="alert" className="px-4 py-3 text-xs text-failed">
                The runs could not be counted: {activity.error.message}
              </p>
            )
          }
        />
      )}
    </>
  );
}

function countText(shown: number, all: number): string {
  return shown === all ? all.toLocaleString() : `${shown.toLocaleString()} of ${all.toLocaleString()}`;
}

function rowsOf(
  functions: Fn[],
  activity: FunctionActivity | undefined,
  search: FunctionsSearch,
): FunctionRow[] {
  const byId = new Map(activity?.functions.map((each) => [each.id, each]));
  const none = { count: 0, failed: 0, buckets: [] };
  const wanted = search.q?.trim().toLowerCase() ?? "";
  return functions
    .map((fn) => ({ ...fn, activity: activity === undefined ? null : (byId.get(fn.id) ?? none) }))
    .filter(
      (fn) =>
        (!search.app || fn.app === search.app) &&
        (search.state !== "paused" || fn.paused) &&
        (search.state !== "failing" || (fn.activity?.failed ?? 0) > 0) &&
        (wanted === "" ||
          [fn.name, fn.id, ...fn.triggers.map(triggerText)].some((text) =>
            text.toLowerCase().includes(wanted),
          )),
    )
    .sort((a, b) => a.name.localeCompare(b.name));
}

function NoFunctions() {
  if (isBranchParent()) return <OfOneBranch what="Functions" />;
  const command = apiCommand("v1/apps", {
    url: mode === "dev" ? "http://localhost:3000/api/svc" : "https://shop.example.com/api/svc",
  });
  return (
    <EmptyState title="No function is registered" command={command}>
      Functions come with the app that serves them. Start one and tell the service where it is.
    </EmptyState>
  );
}
