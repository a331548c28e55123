import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef } from "react";
import { type Me, type User, updateMe, useMe } from "../api/me.ts";
import { endOwnSession, ownSessionsQuery } from "../api/sessions.ts";
import { Button } from "../parts/button.tsx";
import { Input } from "../parts/field.tsx";
import { FormProblem, problemOf } from "../parts/form-problem.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { PageSection } from "../parts/page-section.tsx";
import { PASSWORD_RULE, PasswordInput } from "../parts/password-input.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../parts/states.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { SessionList } from "./session-list.tsx";

/** One's own name, password and sessions. */
export function AccountPage() {
  const me = useMe();
  return (
    <>
      <PageHeader title="Your account" />
      {me === undefined ? (
        <SkeletonRows rows={4} />
      ) : me.user === null ? (
        <EmptyState title="There is no account here">
          {me.kind === "development"
            ? "Nobody logs in to svc dev."
            : `You look at this with the API token ${me.name}. Accounts are for people.`}
        </EmptyState>
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <Profile user={me.user} />
          <Password email={me.user.email} />
          <OwnSessions />
        </div>
      )}
    </>
  );
}

function useUpdateMe(told: string, after?: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: updateMe,
    onSuccess: (me: Me) => {
      queryClient.setQueryData(["me"], me);
      queryClient.invalidateQueries({ queryKey: ["me", "sessions"] });
      toast("done", told);
      after?.();
    },
  });
}

function Profile({ user }: { user: User }) {
  const update = useUpdateMe("Your name was changed.");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    update.mutate({ name: String(new FormData(event.currentTarget).get("name")) });
  };
  return (
    <PageSection title="Profile" note={`${user.email}, ${user.role}`}>
      <form onSubmit={submit} className="flex max-w-sm flex-col items-start gap-3">
        <Input
          label="Name"
          name="name"
          required
          maxLength={100}
          autoComplete="name"
          defaultValue={user.name}
          className="w-full"
          error={problemOf(update.error, "name")}
        />
        <FormProblem error={update.error} fields={["name"]} />
        <Button type="submit" disabled={update.isPending}>
          Save
        </Button>
      </form>
    </PageSection>
  );
}

function Password({ email }: { email: string }) {
  const form = useRef<HTMLFormElement>(null);
  const update = useUpdateMe("Your password was changed, and your other sessions ended.", () =>
    form.current?.reset(),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    update.mutate({ current_password: String(data.get("current")), password: String(data.get("new")) });
  };
  return (
    <PageSection title="Password" note="A new one ends all your other sessions.">
      <form ref={form} onSubmit={submit} className="flex max-w-sm flex-col items-stretch gap-3">
        {/* Tells password managers whose password this is. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label="Current password"
          name="current"
          autoComplete="current-password"
          error={problemOf(update.error, "current_password")}
        />
        <PasswordInput
          label="New password"
          name="new"
          autoComplete="new-password"
          hint={PASSWORD_RULE}
          error={problemOf(update.error, "password")}
        />
        <FormProblem error={update.error} fields={["current_password", "password"]} />
        <Button type="submit" className="self-start" disabled={update.isPending}>
          {update.isPending ? "Changing …" : "Change the password"}
        </Button>
      </form>
    </PageSection>
  );
}

function OwnSessions() {
  const sessions = useQuery(ownSessionsQuery());
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: endOwnSession,
    onSuccess: () => toast("done", "The session has ended."),
    onError: toastError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["me", "sessions"] }),
  });
  return (
    <PageSection title="Sessions" note="Where you are logged in. A session ends 30 days after its last use.">
      {sessions.isPending ? (
        <SkeletonRows rows={2} />
      ) : sessions.isError ? (
        <ErrorState error={sessions.error} onRetry={() => sessions.refetch()} />
      ) : (
        <SessionList sessions={sessions.data} onEnd={({ id }) => end.mutate(id)} />
      )}
    </PageSection>
  );
}
