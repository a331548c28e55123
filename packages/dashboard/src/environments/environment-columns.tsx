import type { EnvironmentDetail } from "../api/environments.ts";
import type { Column } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";

const TYPES: Record<EnvironmentDetail["type"], string> = {
  production: "Production",
  branches: "All branches",
  branch: "Branch",
  named: "Named",
  development: "Development",
};

/** @example typeText("branch") // "Branch" */
export function typeText(type: EnvironmentDetail["type"]): string {
  return TYPES[type];
}

/** @example sizeText(524_288) // "512 KiB" */
export function sizeText(bytes: number): string {
  const [unit, factor] = bytes % 1_048_576 === 0 ? ["MiB", 1_048_576] : (["KiB", 1_024] as const);
  return `${(bytes / Number(factor)).toLocaleString(undefined, { maximumFractionDigits: 1 })} ${unit}`;
}

export const ENVIRONMENT_COLUMNS: Column<EnvironmentDetail>[] = [
  {
    id: "name",
    header: "Name",
    width: "minmax(100px, 2fr)",
    link: true,
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  { id: "type", header: "Type", width: "88px", cell: ({ type }) => typeText(type) },
  {
    id: "size",
    header: "Request size",
    width: "96px",
    from: 760,
    cell: ({ type, max_request_bytes }) =>
      type === "branches" ? null : max_request_bytes === null ? (
        <span className="text-muted">as set</span>
      ) : (
        sizeText(max_request_bytes)
      ),
  },
  {
    id: "auto",
    header: "Archived by itself",
    width: "120px",
    from: 860,
    cell: ({ type, auto_archive }) =>
      type === "branch" ? auto_archive ? "when unused" : <span className="text-muted">never</span> : null,
  },
  {
    id: "creator",
    header: "Created by",
    width: "minmax(90px, 1fr)",
    from: 960,
    cell: ({ created_by }) => created_by ?? <span className="text-muted">–</span>,
  },
  {
    id: "created",
    header: "Created",
    width: "84px",
    align: "right",
    from: 600,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    id: "active",
    header: "Last active",
    width: "76px",
    align: "right",
    cell: ({ last_active_at }) =>
      last_active_at === null ? <span className="text-muted">never</span> : <Time at={last_active_at} />,
  },
];
