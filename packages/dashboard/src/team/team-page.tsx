import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { useMayForService, useMe } from "../api/me.ts";
import { invitationsQuery, type MadeLink, peopleQuery } from "../api/people.ts";
import { Button } from "../parts/button.tsx";
import { ListDetail } from "../parts/list-detail.tsx";
import { NotAllowed } from "../parts/not-allowed.tsx";
import { OnceDialog } from "../parts/once-dialog.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { usePageSearch } from "../parts/page-search.ts";
import { EmptyState } from "../parts/states.tsx";
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

/** A port that this service does not have. */
function nextPort(): number {
  return Number(window.location.port || 80) + 1;
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
        <EmptyState title="Nobody logs in to svc dev" command={`npx svc start --port ${nextPort()}`}>
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
  const [, change] = usePageSearch();
  const me = useMe();
  const list = useInfiniteQuery(peopleQuery());
  return (
    <ListDetail
      label="People"
      words={["person", "people"]}
      list={list}
      rows={list.data?.pages.flatMap(({ data }) => data) ?? []}
      columns={personColumns(me?.user?.id)}
      rowKey={({ id }) => id}
      param="person"
      panel={(open, onClose) => <PersonPanel key={open.id} person={open} onLink={onLink} onClose={onClose} />}
      empty={
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
      }
    />
  );
}
