import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { KeyRound, UserMinus } from "lucide-react";
import { useState } from "react";
import { SessionList } from "../account/session-list.tsx";
import { ROLES, type Role, type User, useMayActOnOwners, useMe } from "../api/me.ts";
import { endSessionsOf, makeResetLink, removePerson, sessionsOfQuery, updatePerson } from "../api/people.ts";
import { capital } from "../keys/key-words.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Select } from "../parts/field.tsx";
import { FormProblem } from "../parts/form-problem.tsx";
import { Id } from "../parts/id.tsx";
import { Moment } from "../parts/moment.tsx";
import { Facts, PanelSection, SidePanel } from "../parts/side-panel.tsx";
import { ErrorState, Skeleton } from "../parts/states.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { ROLE_MEANINGS } from "./roles.ts";
import type { ShownLink } from "./team-page.tsx";

interface PersonPanelProps {
  person: User;
  onLink(link: ShownLink): void;
  onClose(): void;
}

/** One person: role, sessions, a way back in, and out. */
export function PersonPanel({ person, onLink, onClose }: PersonPanelProps) {
  const me = useMe();
  const mayActOnOwners = useMayActOnOwners();
  const isSelf = me?.user?.id === person.id;
  const mayChange = person.role !== "owner" || mayActOnOwners;
  return (
    <SidePanel
      label={`Person ${person.name}`}
      onClose={onClose}
      title={<h2 className="truncate font-semibold">{person.name}</h2>}
    >
      {!mayChange && (
        <p className="border-b px-4 py-3 text-muted">
          Only owners change and remove owners. Your role is {me?.user?.role ?? "that of a token"}.
        </p>
      )}
      {isSelf && (
        <p className="border-b px-4 py-3 text-muted">
          This is you. Name, password and sessions are in{" "}
          <Link to="/account" className="text-accent underline underline-offset-2">
            your account
          </Link>
          .
        </p>
      )}
      {mayChange && !isSelf && <Actions person={person} onLink={onLink} onClose={onClose} />}
      <PanelSection title="Role">
        <RoleSelect person={person} mayChange={mayChange} mayActOnOwners={mayActOnOwners} />
      </PanelSection>
      <Sessions person={person} mayChange={mayChange} />
      <PanelSection title="Person">
        <Facts
          facts={[
            ["E-mail address", person.email],
            ["Joined", <Moment key="joined" at={person.created_at} />],
            [
              "Last seen",
              person.last_seen_at === null ? (
                <span key="seen" className="text-muted">
                  never
                </span>
              ) : (
                <Moment key="seen" at={person.last_seen_at} />
              ),
            ],
            ["Id", <Id key="id" id={person.id} whole />],
          ]}
        />
      </PanelSection>
    </SidePanel>
  );
}

function Actions({ person, onLink, onClose }: PersonPanelProps) {
  const queryClient = useQueryClient();
  const [removing, setRemoving] = useState(false);
  const reset = useMutation({
    mutationFn: () => makeResetLink(person.id),
    onSuccess: (link) =>
      onLink({
        title: `A new password for ${person.name}`,
        note: `Hand it to ${person.email}: the service sends no mail. It sets a new password once, and ends their sessions.`,
        ...link,
      }),
    onError: toastError,
  });
  return (
    <div role="toolbar" aria-label="Actions" className="flex flex-wrap gap-2 border-b px-4 py-2">
      <Button
        icon={<KeyRound size={13} aria-hidden />}
        disabled={reset.isPending}
        onClick={() => reset.mutate()}
      >
        Password reset link
      </Button>
      <Button look="danger" icon={<UserMinus size={13} aria-hidden />} onClick={() => setRemoving(true)}>
        Remove
      </Button>
      {removing && (
        <ConfirmDialog
          title={`Remove ${person.name}?`}
          action="Remove"
          danger
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await removePerson(person.id);
            toast("done", `${person.name} was removed.`);
            onClose();
            await queryClient.invalidateQueries({ queryKey: ["people"] });
            queryClient.invalidateQueries({ queryKey: ["invitations"] });
          }}
        >
          <p>
            All sessions of {person.email} end at once, and so do the invitations they made. Keys and API
            tokens stay: revoke those they knew.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

interface RoleSelectProps {
  person: User;
  mayChange: boolean;
  mayActOnOwners: boolean;
}

function RoleSelect({ person, mayChange, mayActOnOwners }: RoleSelectProps) {
  const queryClient = useQueryClient();
  const update = useMutation({
    mutationFn: (role: Role) => updatePerson(person.id, { role }),
    onSuccess: ({ name, role }) => {
      toast("done", `${name} is ${/^[aeiou]/.test(role) ? "an" : "a"} ${role} now.`);
      queryClient.invalidateQueries({ queryKey: ["me"] });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["people", "list"] }),
  });
  const role = update.isPending ? update.variables : person.role;
  return (
    <div className="flex flex-col gap-2">
      <Select
        label="Role"
        hiddenLabel
        value={role}
        disabled={!mayChange || update.isPending}
        onChange={(event) => update.mutate(event.target.value as Role)}
        hint={ROLE_MEANINGS[role]}
        className="max-w-sm"
      >
        {ROLES.map((each) => (
          <option key={each} value={each} disabled={each === "owner" && !mayActOnOwners}>
            {capital(each)}
          </option>
        ))}
      </Select>
      <FormProblem error={update.error} />
    </div>
  );
}

function Sessions({ person, mayChange }: { person: User; mayChange: boolean }) {
  const queryClient = useQueryClient();
  const sessions = useQuery(sessionsOfQuery(person.id));
  const end = useMutation({
    mutationFn: (session?: string) => endSessionsOf(person.id, session),
    onSuccess: () => toast("done", "They have to log in again there."),
    onError: toastError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["people", "sessions", person.id] }),
  });
  return (
    <PanelSection
      title="Sessions"
      actions={
        mayChange &&
        sessions.data?.some(({ current }) => !current) && (
          <Button disabled={end.isPending} onClick={() => end.mutate(undefined)}>
            End all
          </Button>
        )
      }
    >
      {sessions.isPending ? (
        <Skeleton className="w-48" />
      ) : sessions.isError ? (
        <ErrorState error={sessions.error} onRetry={() => sessions.refetch()} />
      ) : (
        <SessionList sessions={sessions.data} onEnd={mayChange ? ({ id }) => end.mutate(id) : null} />
      )}
    </PanelSection>
  );
}
