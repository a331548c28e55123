import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { type CreatedKey, KEY_KINDS, type KeyKind, keyListQuery } from "../api/keys.ts";
import { useMay, useMe } from "../api/me.ts";
import { Button } from "../parts/button.tsx";
import { ListDetail } from "../parts/list-detail.tsx";
import { NotAllowed } from "../parts/not-allowed.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { usePageSearch } from "../parts/page-search.ts";
import { EmptyState } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { environment, mode, serviceUrl } from "../place.ts";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { keyColumns } from "./key-columns.tsx";
import { KeyPanel } from "./key-panel.tsx";
import { capital, KEY_WORDS } from "./key-words.ts";
import { SecretDialog } from "./secret-dialog.tsx";

/** A secret that has just been made, and what it is. */
export interface Shown {
  kind: KeyKind;
  created: CreatedKey;
  /** Whether it takes the place of another. */
  rotated: boolean;
}

/** The keys of the environment, and the tokens of the service. */
export function KeysPage() {
  const [search, change] = usePageSearch();
  const mayAdminister = useMay("administer");
  const me = useMe();
  const [shown, setShown] = useState<Shown | null>(null);
  const kind = KEY_KINDS.find((each) => each === search.kind) ?? "event";

  if (mode === "dev") {
    return (
      <>
        <PageHeader title="Keys" />
        <EmptyState
          title="svc dev takes any key"
          command={`curl ${serviceUrl("e/any-key")} -d '{"name":"demo/hello","data":{}}'`}
        >
          Nothing has to be made here: senders may use any event key, calls are not signed, and the API is
          open. Keys are for <code>svc start</code>.
        </EmptyState>
      </>
    );
  }
  if (me !== undefined && !mayAdminister) {
    return (
      <>
        <PageHeader title="Keys" />
        <NotAllowed permission="administer" what="look at keys" />
      </>
    );
  }
  const { one } = KEY_WORDS[kind];
  return (
    <>
      <PageHeader title="Keys" note={kind === "api" ? "all environments" : environment() || "production"}>
        <Button
          look="primary"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => change({ create: "1" }, "push")}
        >
          Create {/^[aeiou]/i.test(one) ? "an" : "a"} {one}
        </Button>
      </PageHeader>
      <Tabs
        label="Kinds of key"
        value={kind}
        onChange={(next) => change({ kind: next === "event" ? undefined : next, key: undefined })}
        tabs={KEY_KINDS.map((each) => ({
          value: each,
          label: KEY_WORDS[each].tab,
          content: each === kind && <KeyList kind={each} onShown={setShown} />,
        }))}
      />
      {search.create !== undefined && (
        <CreateKeyDialog
          kind={kind}
          onClose={() => change({ create: undefined })}
          onCreated={(created) => {
            change({ create: undefined });
            setShown({ kind, created, rotated: false });
          }}
        />
      )}
      {shown !== null && <SecretDialog shown={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function KeyList({ kind, onShown }: { kind: KeyKind; onShown(shown: Shown): void }) {
  const [, change] = usePageSearch();
  const me = useMe();
  const ofOne = kind === "api" && me?.environment != null;
  const list = useInfiniteQuery({ ...keyListQuery(kind), enabled: !ofOne });
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const { note, one, several, setting } = KEY_WORDS[kind];
  if (ofOne) {
    return (
      <EmptyState title="Tokens are about the whole service">
        You look at this with a token of one environment, {me.environment}.
      </EmptyState>
    );
  }
  return (
    <ListDetail
      label={capital(several)}
      words={[one, several]}
      list={list}
      rows={rows}
      columns={keyColumns(kind)}
      rowKey={({ id }) => id}
      param="key"
      panel={(open, onClose) => (
        <KeyPanel key={open.id} kind={kind} item={open} onShown={onShown} onClose={onClose} />
      )}
      above={
        <p className="shrink-0 border-b px-4 py-2 text-muted">
          {note}
          {kind !== "api" && rows[0]?.environment === "branches" && " All branches share these."}
        </p>
      }
      empty={
        <EmptyState
          title={`There is no ${one}`}
          action={
            <Button look="primary" onClick={() => change({ create: "1" }, "push")}>
              {capital(one)}: create one
            </Button>
          }
        >
          {kind === "event" && "Nothing can be sent into this environment until there is one."}
          {kind === "signing" &&
            "No app can sync into this environment, and calls go unsigned, until there is one."}
          {kind === "api" && "Programs cannot call the API until there is one. People log in."}
          {kind === "api" && ` One can also be given by ${setting}.`}
        </EmptyState>
      }
    />
  );
}
