import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { logIn, logInWithToken, setupQuery } from "../api/sessions.ts";
import { Button } from "../parts/button.tsx";
import { Input } from "../parts/field.tsx";
import { FormProblem } from "../parts/form-problem.tsx";
import { PasswordInput } from "../parts/password-input.tsx";
import { Skeleton } from "../parts/states.tsx";
import { EntryPage } from "./entry-page.tsx";
import { wayBack } from "./way-back.ts";

/** Logs people in with e-mail address and password, or with an API token where there are no people yet. */
export function LoginPage() {
  const { with: way } = useSearch({ strict: false });
  const setup = useQuery(setupQuery());
  // Where nobody has an account yet, nobody has a password.
  const withToken = way === "token" || (way !== "password" && setup.data?.needed === true);
  return (
    <EntryPage title="Log in to svc">
      {setup.data?.needed === true && (
        <p className="mb-4 rounded-md border bg-panel px-3 py-2">
          This service has no owner yet. Open the set-up link that its start has printed, or use an API token
          of its configuration.
        </p>
      )}
      {setup.isPending ? <FormSkeleton /> : withToken ? <TokenForm /> : <PasswordForm />}
      <p className="mt-4 text-muted">
        {withToken ? "Have an account?" : "No account?"}{" "}
        <Link
          to="/login"
          search={(before) => ({ ...before, with: withToken ? "password" : "token" })}
          className="text-accent underline underline-offset-2"
        >
          {withToken ? "Log in with a password" : "Use an API token"}
        </Link>
      </p>
    </EntryPage>
  );
}

function FormSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex h-36 flex-col gap-4">
      <Skeleton className="w-24" />
      <Skeleton className="h-7 w-full" />
      <Skeleton className="mt-2 h-8 w-full" />
    </div>
  );
}

/** Everything known until now was for somebody else. */
function useArrive(): () => void {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { to } = useSearch({ strict: false });
  return () => {
    queryClient.clear();
    const back = wayBack(to);
    navigate({ to: back.to, search: back.search as never, replace: true });
  };
}

function PasswordForm() {
  const login = useMutation({ mutationFn: logIn, onSuccess: useArrive() });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    login.mutate({ email: String(form.get("email")), password: String(form.get("password")) });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Input label="E-mail address" name="email" type="email" required autoFocus autoComplete="username" />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        hint="Forgotten? An administrator can make you a link to set a new one."
      />
      <FormProblem error={login.error} />
      <Button type="submit" look="primary" className="!h-8" disabled={login.isPending}>
        {login.isPending ? "Logging in …" : "Log in"}
      </Button>
    </form>
  );
}

function TokenForm() {
  const login = useMutation({ mutationFn: logInWithToken, onSuccess: useArrive() });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    login.mutate(String(new FormData(event.currentTarget).get("token")).trim());
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <PasswordInput label="API token" name="token" autoFocus hint="Kept in this tab until you close it." />
      <FormProblem error={login.error} />
      <Button type="submit" look="primary" className="!h-8" disabled={login.isPending}>
        {login.isPending ? "Logging in …" : "Log in"}
      </Button>
    </form>
  );
}
