import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Archive, CircleAlert, RefreshCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type AppChange, archiveApp, type ListedApp, syncAppAt } from "../api/apps.ts";
import { useMay } from "../api/me.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Moment } from "../parts/moment.tsx";
import { LookOnly } from "../parts/not-allowed.tsx";
import { Facts, PanelSection, SidePanel } from "../parts/side-panel.tsx";
import { Command } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { mode } from "../place.ts";
import { countText } from "./add-app-dialog.tsx";
import { type AppRow, AppState, errorOf } from "./app-rows.tsx";

/** One app, or an address where one should be. */
export function AppPanel({ row, onClose }: { row: AppRow; onClose(): void }) {
  const { app, url } = row;
  const mayManage = useMay("manage");
  const error = errorOf(row);
  return (
    <SidePanel
      label={app === null ? `Address ${url}` : `App ${app.id}`}
      onClose={onClose}
      title={<h2 className="truncate font-semibold">{app?.id ?? url}</h2>}
    >
      {mayManage ? (
        <AppActions row={row} onArchived={onClose} />
      ) : (
        <div className="border-b px-4 py-3">
          <LookOnly permission="manage" />
        </div>
      )}
      {error !== null && (
        <PanelSection title={app === null ? "Why it is not an app yet" : "Why it cannot be synced"}>
          <div role="status" className="flex items-start gap-2 rounded-md bg-failed-soft px-3 py-2">
            <CircleAlert size={15} aria-hidden className="mt-0.5 shrink-0 text-failed" />
            <p className="min-w-0 break-words whitespace-pre-wrap">{error}</p>
          </div>
          <NextStep url={url} known={app !== null} />
        </PanelSection>
      )}
      <PanelSection title={app === null ? "Address" : "App"}>
        <Facts facts={factsOf(row)} />
      </PanelSection>
      {app !== null && <LastChange app={app} />}
    </SidePanel>
  );
}

/** What to do about an app that does not sync. */
function NextStep({ url, known }: { url: string; known: boolean }) {
  return (
    <div className="mt-3 text-muted">
      <p>
        {mode === "dev"
          ? "It is tried again every few seconds. Start the app, or see for yourself what answers there:"
          : known
            ? "Its functions stay as they were last synced. See what answers there, then sync again:"
            : "It is tried again until it answers. See what answers there:"}
      </p>
      <Command text={`curl -i ${url}`} />
    </div>
  );
}

function AppActions({ row: { app, url }, onArchived }: { row: AppRow; onArchived(): void }) {
  const queryClient = useQueryClient();
  const [archiving, setArchiving] = useState(false);
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ["apps"] }),
      queryClient.invalidateQueries({ queryKey: ["functions"] }),
    ]);
  const sync = useMutation({
    mutationFn: () => syncAppAt(url),
    onSuccess: (synced) =>
      toast(
        "done",
        `${synced.id} is in sync, with ${countText(synced.function_count)}; ${synced.modified ? "they have changed" : "nothing has changed"}.`,
      ),
    // The reason stands in the panel, in full.
    onError: (error) => toastError(app === null ? error : new Error(`${app.id} could not be synced.`)),
    onSettled: refresh,
  });
  return (
    <div role="toolbar" aria-label="Actions" className="flex flex-wrap gap-2 border-b px-4 py-2">
      <Button
        icon={<RefreshCw size={13} aria-hidden className={sync.isPending ? "animate-spin" : ""} />}
        disabled={sync.isPending}
        onClick={() => sync.mutate()}
      >
        Sync now
      </Button>
      {app !== null && (
        <Button look="danger" icon={<Archive size={13} aria-hidden />} onClick={() => setArchiving(true)}>
          Archive
        </Button>
      )}
      {archiving && app !== null && (
        <ConfirmDialog
          title={`Archive ${app.id}?`}
          action="Archive"
          danger
          onClose={() => setArchiving(false)}
          onConfirm={async () => {
            await archiveApp(app.id);
            toast("done", `${app.id} was archived.`);
            onArchived();
            await refresh();
          }}
        >
          <p>
            Its {countText(app.function_count)} no longer start, and queued runs are cancelled. Events and
            past runs stay. The app comes back when it syncs again.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

const SOURCES = {
  configured: mode === "dev" ? "named by -u" : "named by the configuration",
  discovered: "found on this machine",
  synced: "synced by itself",
} as const;

function factsOf(row: AppRow): [string, ReactNode][] {
  const { app, url, address } = row;
  const facts: [string, ReactNode][] = [
    ["State", <AppState key="state" row={row} />],
    [
      "Address",
      <span key="url" className="flex items-start gap-1">
        <span className="min-w-0 py-0.5 font-mono text-xs break-all">{url}</span>
        <CopyButton text={url} label="Copy the address" className="!size-5" />
      </span>,
    ],
  ];
  if (app !== null) {
    facts.push(
      ["SDK", <code key="sdk">{app.sdk || "not told"}</code>],
      ["Framework", app.framework ?? <span className="text-muted">not told</span>],
      [
        "Functions",
        <Link key="functions" to="/functions" className="text-accent underline underline-offset-2">
          {countText(app.function_count)}
        </Link>,
      ],
      ["Last sync", <Moment key="synced" at={app.synced_at} />],
      ["First sync", <Moment key="created" at={app.created_at} />],
    );
  }
  if (address !== null) {
    facts.push(["Known because", SOURCES[address.source]]);
    if (address.tried_at !== null) facts.push(["Last tried", <Moment key="tried" at={address.tried_at} />]);
  }
  return facts;
}

const KINDS = [
  ["added", "+", "text-completed", "Added"],
  ["changed", "~", "text-cancelled", "Changed"],
  ["removed", "−", "text-failed", "Removed"],
] as const;

function LastChange({ app }: { app: ListedApp }) {
  const change: AppChange | null = app.last_change;
  return (
    <PanelSection title="Last change by a sync">
      {change === null ? (
        <p className="text-muted">Nothing is remembered from before an update of the service.</p>
      ) : (
        <>
          <p className="mb-2 text-muted">
            <Time at={change.at} />
            {KINDS.every(([kind]) => change.counts[kind] === 0) && ": the functions stayed the same."}
          </p>
          <ul className="flex flex-col gap-1">
            {KINDS.flatMap(([kind, sign, color, word]) =>
              change[kind].map((id) => (
                <li key={`${kind} ${id}`} className="flex items-baseline gap-2">
                  <span className={`w-3 font-mono ${color}`} title={word}>
                    <span aria-hidden>{sign}</span>
                    <span className="sr-only">{word}</span>
                  </span>
                  {kind === "removed" ? (
                    <span className="min-w-0 font-mono text-xs break-all">{id}</span>
                  ) : (
                    <Link
                      to="/functions/$functionId"
                      params={{ functionId: id }}
                      className="min-w-0 font-mono text-xs break-all hover:underline"
                    >
                      {id}
                    </Link>
                  )}
                </li>
              )),
            )}
            {KINDS.map(([kind, , , word]) =>
              change.counts[kind] > change[kind].length ? (
                <li key={kind} className="text-muted">
                  {word}: {change.counts[kind] - change[kind].length} more
                </li>
              ) : null,
            )}
          </ul>
        </>
      )}
    </PanelSection>
  );
}
