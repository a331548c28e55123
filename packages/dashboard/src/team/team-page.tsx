import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useMayForService, useMe } from "../api/me.ts";
import { invitationsQuery, type MadeLink, peopleQuery } from "../api/people.ts";
import { Button } from "../parts/button.tsx";
import { ListEnd } from "../parts/list-end.tsx";
import { MissingPanel } from "../parts/missing-panel.tsx";
import { NotAllowed } from "../parts/not-allowed.tsx";
import { OnceDialog } from "../parts/once-dialog.tsx";
import { useOpenRow } from "../parts/open-row.ts";
import { PageHeader } from "../parts/page-header.tsx";
import { usePageSearch } from "../parts/page-search.ts";
import { EmptyState, ErrorState, SkeletonRows } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Time } from "../parts/time.tsx";
import { mode } from "../place.ts";
import { InvitationList } from "./invitation-list.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { personColumns } from "./person-columns.tsx";
import { PersonPanel } from "./person-panel.tsx";

/** A link that has just been made. */
export interface ShownLink extends MadeLink {
  title: string;
  /** What to do with it. */
  note: string;
}

/** The people of the service. */
export function TeamPage() {
  const [search, change] = usePageSearch();
  const me = useMe();
  const mayAdminister = useMayForService("administer");
  const [link, setLink] = useState<ShownLink | null>(null);
  if (mode === "dev") {
    return (
      <>
        <PageHeader title="Team" />
        <EmptyState title="Nobody logs in to svc dev" command="npx svc start">
          Whoever can reach it may do everything. <code>svc start</code> has people and roles:
        </EmptyState>
      </>
    );
  }
  if (me !== undefined && !mayAdminister) {
    return (
      <>
        <PageHeader title="Team" />
        <NotAllowed permission="administer" what="look at people" />
      </>
    );
  }
  const tab = search.tab === "invitations" ? "invitations" : "people";
  return (
    <>
      <PageHeader title="Team">
        <Button
          look="primary"
          icon={<UserPlus size={14} aria-hidden />}
          onClick={() => change({ invite: "1" }, "push")}
        >
          Invite somebody
        </Button>
      </PageHeader>
      <Tabs
        label="Team"
        value={tab}
        onChange={(next) => change({ tab: next === "people" ? undefined : next, person: undefined })}
        tabs={[
          { value: "people", label: "People", content: tab === "people" && <PersonList onLink={setLink} /> },
          {
            value: "invitations",
            label: <InvitationsLabel />,
            content: tab === "invitations" && <InvitationList />,
          },
        ]}
      />
      {search.invite !== undefined && (
        <InviteDialog
          onClose={() => change({ invite: undefined })}
          onInvited={({ url, expires_at, role, email }) => {
            change({ invite: undefined });
            const whom = email ?? "whoever is to come in";
            setLink({
              title: `The invitation as ${role}`,
              note: `Hand it to ${whom}: the service sends no mail. It works for one person.`,
              url,
              expires_at,
            });
          }}
        />
      )}
      {link !== null && (
        <OnceDialog title={link.title} text={link.url} onClose={() => setLink(null)}>
          <p className="text-muted">
            {link.note} It ends <Time at={link.expires_at} />.
          </p>
        </OnceDialog>
      )}
    </>
  );
}

function InvitationsLabel() {
  const count = useQuery(invitationsQuery()).data?.length ?? 0;
  return count === 0 ? "Invitations" : `Invitations (${count})`;
}

function PersonList({ onLink }: { onLink(link: ShownLink): void }) {
  const [search, change] = usePageSearch();
  const me = useMe();
  const list = useInfiniteQuery(peopleQuery());
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const { open, missing } = useOpenRow(list, rows, search.person, ({ id }) => id);
  return (
    <div className="flex h-full min-h-0">
      <div className="flex min-w-0 flex-1 flex-col">
        {list.isPending ? (
          <SkeletonRows rows={4} />
        ) : list.isError && rows.length === 0 ? (
          <ErrorState error={list.error} onRetry={() => list.refetch()} />
        ) : rows.length === 0 ? (
          <EmptyState
            title="Nobody has an account yet"
            action={
              <Button look="primary" onClick={() => change({ invite: "1" }, "push")}>
                Invite the first owner
              </Button>
            }
          >
            You look at this with an API token. Make a link by which the first owner comes in.
          </EmptyState>
        ) : (
          <Table
            label="People"
            rows={rows}
            columns={personColumns(me?.user?.id)}
            rowKey={({ id }) => id}
            rowLink={({ id }) => ({
              to: "/team",
              search: ((before: object) => ({ ...before, person: id })) as never,
            })}
            selected={open?.id}
            onEnd={list.hasNextPage && !list.isFetching ? () => list.fetchNextPage() : undefined}
            footer={
              <ListEnd
                loading={list.isFetchingNextPage}
                more={list.hasNextPage}
                count={rows.length}
                words={["person", "people"]}
              />
            }
          />
        )}
      </div>
      {missing && <MissingPanel what="person" onClose={() => change({ person: undefined })} />}
      {open !== undefined && (
        <PersonPanel
          key={open.id}
          person={open}
          onLink={onLink}
          onClose={() => change({ person: undefined }, "push")}
        />
      )}
    </div>
  );
}
