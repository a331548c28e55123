/** Rows of the list of apps: apps that have synced, and addresses where there is none yet. */
import type { ListedApp } from "../api/apps.ts";
import type { AppAddress } from "../api/types.ts";
import { StatusIcon } from "../parts/status-badge.tsx";
import type { Column } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";

export interface AppRow {
  /** Of the app, or the address. */
  key: string;
  url: string;
  app: ListedApp | null;
  /** What is known of its address. */
  address: AppAddress | null;
}

/** Apps first, then the addresses that belong to none of them. */
export function appRows(apps: readonly ListedApp[], addresses: readonly AppAddress[]): AppRow[] {
  const byApp = new Map(addresses.map((address) => [address.app_id, address]));
  const ids = new Set(apps.map(({ id }) => id));
  const lonely = addresses.filter(({ app_id }) => app_id === null || !ids.has(app_id));
  return [
    ...apps.map((app) => ({ key: app.id, url: app.url, app, address: byApp.get(app.id) ?? null })),
    ...lonely.map((address) => ({ key: address.url, url: address.url, app: null, address })),
  ];
}

/** Why an app cannot be synced, in the words of the service; null when it can. */
export function errorOf({ app, address }: AppRow): string | null {
  return app?.error ?? address?.error ?? null;
}

/** Icon and word. */
export function AppState({ row }: { row: AppRow }) {
  const [status, word] =
    errorOf(row) !== null && row.app !== null
      ? (["failed", row.address?.state === "lost" ? "Not answering" : "Sync failed"] as const)
      : row.app !== null
        ? (["completed", "In sync"] as const)
        : (["queued", "Being tried"] as const);
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <StatusIcon status={status} />
      <span className={status === "failed" ? "text-failed" : ""}>{word}</span>
    </span>
  );
}

export const APP_COLUMNS: Column<AppRow>[] = [
  {
    id: "app",
    header: "App",
    width: "minmax(84px, 1fr)",
    link: true,
    cell: ({ app, url }) =>
      app === null ? (
        <span className="font-mono text-xs text-muted">{url}</span>
      ) : (
        <span className="font-medium">{app.id}</span>
      ),
  },
  { id: "state", header: "State", width: "120px", cell: (row) => <AppState row={row} /> },
  {
    id: "url",
    header: "Address",
    width: "minmax(160px, 2fr)",
    from: 640,
    cell: ({ app, url, address }) =>
      app === null ? (
        <span className="text-muted">{address?.error ?? "not tried yet"}</span>
      ) : (
        <span className="font-mono text-xs">{url}</span>
      ),
  },
  {
    id: "sdk",
    header: "SDK",
    width: "minmax(90px, 160px)",
    from: 820,
    cell: ({ app }) => <span className="font-mono text-xs">{app?.sdk}</span>,
  },
  {
    id: "framework",
    header: "Framework",
    width: "100px",
    from: 980,
    cell: ({ app }) => app?.framework ?? "",
  },
  {
    id: "functions",
    header: "Functions",
    width: "72px",
    align: "right",
    from: 560,
    cell: ({ app }) => app?.function_count.toLocaleString(),
  },
  {
    id: "synced",
    header: "Synced",
    width: "76px",
    align: "right",
    cell: ({ app, address }) =>
      app !== null ? (
        <Time at={app.synced_at} />
      ) : address?.tried_at != null ? (
        <Time at={address.tried_at} />
      ) : null,
  },
];
