import { useMutation, useQueryClient } from "@tanstack/react-query";
import { PencilLine, RotateCw, Signature, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { activateKey, type Key, type KeyKind, revokeKey } from "../api/keys.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Id } from "../parts/id.tsx";
import { Moment } from "../parts/moment.tsx";
import { Facts, PanelSection, SidePanel } from "../parts/side-panel.tsx";
import { Time } from "../parts/time.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { EditKeyDialog } from "./edit-key-dialog.tsx";
import { KeyTags } from "./key-columns.tsx";
import { capital, KEY_WORDS } from "./key-words.ts";
import type { Shown } from "./keys-page.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";

interface KeyPanelProps {
  kind: KeyKind;
  item: Key;
  onShown(shown: Shown): void;
  onClose(): void;
}

/** One key: what is known of it, and what can be done with it. */
export function KeyPanel({ kind, item, onShown, onClose }: KeyPanelProps) {
  const { one, setting } = KEY_WORDS[kind];
  return (
    <SidePanel
      label={`${capital(one)} ${item.name}`}
      onClose={onClose}
      title={<h2 className="truncate font-semibold">{item.name}</h2>}
    >
      {item.source === "configuration" ? (
        <p className="border-b px-4 py-3 text-muted">
          This key comes from the configuration (<code>{setting}</code>). It is changed there, with the next
          start of the service.
        </p>
      ) : (
        <KeyActions kind={kind} item={item} onShown={onShown} onClose={onClose} />
      )}
      <PanelSection title={capital(one)}>
        <Facts facts={factsOf(kind, item)} />
      </PanelSection>
      {kind === "event" && <Limits item={item} />}
    </SidePanel>
  );
}

type Open = "edit" | "rotate" | "revoke" | null;

function KeyActions({ kind, item, onShown, onClose }: KeyPanelProps) {
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<Open>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: [`${kind}-keys`] });
  const activation = useMutation({
    mutationFn: () => activateKey(item.id),
    onSuccess: () => toast("done", `Calls are signed with ${item.name} from now on.`),
    onError: toastError,
    onSettled: refresh,
  });
  const ending = item.expires_at !== null;
  const close = () => setOpen(null);
  const { one } = KEY_WORDS[kind];
  return (
    <div role="toolbar" aria-label="Actions" className="flex flex-wrap gap-2 border-b px-4 py-2">
      {kind === "signing" && item.signing === false && !ending && (
        <Button
          look="primary"
          icon={<Signature size={13} aria-hidden />}
          disabled={activation.isPending}
          onClick={() => activation.mutate()}
        >
          Activate
        </Button>
      )}
      <Button icon={<PencilLine size={13} aria-hidden />} onClick={() => setOpen("edit")}>
        {kind === "event" ? "Edit" : "Rename"}
      </Button>
      <Button icon={<RotateCw size={13} aria-hidden />} onClick={() => setOpen("rotate")}>
        Rotate
      </Button>
      <Button look="danger" icon={<Trash2 size={13} aria-hidden />} onClick={() => setOpen("revoke")}>
        Revoke
      </Button>
      {open === "edit" && <EditKeyDialog kind={kind} item={item} onClose={close} />}
      {open === "rotate" && (
        <RotateKeyDialog
          kind={kind}
          item={item}
          onClose={close}
          onRotated={(created) => {
            close();
            refresh();
            onShown({ kind, created, rotated: true });
          }}
        />
      )}
      {open === "revoke" && (
        <ConfirmDialog
          title={`Revoke ${item.name}?`}
          action="Revoke"
          danger
          onClose={close}
          onConfirm={async () => {
            await revokeKey(kind, item.id);
            toast("done", `${item.name} was revoked.`);
            onClose();
            await refresh();
          }}
        >
          <p>
            The {one} <code>{item.hint}</code> is refused from the next request on. That cannot be undone.
          </p>
          {item.last_used_at !== null && (
            <p className="text-muted">
              It was last used <Time at={item.last_used_at} />.
            </p>
          )}
          {item.signing === true && (
            <p className="text-failed">
              Calls are signed with it. The key that signed before takes its place, or else the oldest;
              without any, apps refuse all calls.
            </p>
          )}
        </ConfirmDialog>
      )}
    </div>
  );
}

function factsOf(kind: KeyKind, item: Key): [string, ReactNode][] {
  const none = (word: string) => <span className="text-muted">{word}</span>;
  const facts: [string, ReactNode][] = [
    [kind === "api" ? "Token" : "Key", <code key="hint">{item.hint}</code>],
    ["Environment", item.environment ?? "all of them"],
    ["Created", item.created_at === null ? none("at the start") : <Moment key="at" at={item.created_at} />],
    ["Created by", item.created_by ?? none("the configuration")],
    ["Last used", item.last_used_at === null ? none("never") : <Moment key="used" at={item.last_used_at} />],
    [
      "Ends",
      item.expires_at === null ? none("when it is revoked") : <Moment key="ends" at={item.expires_at} />,
    ],
  ];
  if (kind === "api") facts.splice(1, 0, ["May", item.scopes?.join(", ")]);
  if (kind === "signing") {
    facts.push(["Calls", item.signing ? "are signed with it" : none("are accepted, not signed with it")]);
  }
  if (item.source === "stored") facts.push(["Id", <Id key="id" id={item.id} whole />]);
  else facts.push(["", <KeyTags key="tags" kind={kind} item={item} />]);
  return facts;
}

function Limits({ item }: { item: Key }) {
  const { event_filter, ip_filter, rate_limit } = item;
  const lists = [
    ["Only these events", event_filter?.allow],
    ["Never these events", event_filter?.deny],
    ["Only these addresses", ip_filter?.allow],
    ["Never these addresses", ip_filter?.deny],
  ] as const;
  const facts: [string, ReactNode][] = lists.flatMap(([name, entries]) =>
    entries === undefined || entries.length === 0 ? [] : [[name, <Entries key={name} entries={entries} />]],
  );
  if (rate_limit)
    facts.push(["Rate", `${rate_limit.requests.toLocaleString()} requests per ${rate_limit.per}`]);
  return (
    <PanelSection title="What it lets in">
      {facts.length === 0 ? (
        <p className="text-muted">Every event, from everywhere, at any rate.</p>
      ) : (
        <Facts facts={facts} />
      )}
    </PanelSection>
  );
}

function Entries({ entries }: { entries: readonly string[] }) {
  return (
    <ul className="max-h-40 overflow-y-auto">
      {entries.map((entry) => (
        <li key={entry} className="font-mono text-xs leading-5 break-all">
          {entry}
        </li>
      ))}
    </ul>
  );
}
