import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { resetPassword } from "../api/sessions.ts";
import { EntryPage } from "../login/entry-page.tsx";
import { useLinkToken } from "../login/link-token.ts";
import { Button, buttonClasses } from "../parts/button.tsx";
import { FormProblem, problemOf } from "../parts/form-problem.tsx";
import { PASSWORD_RULE, PasswordInput } from "../parts/password-input.tsx";

/** Sets a new password by a link that an administrator made. */
export function PasswordResetPage() {
  const token = useLinkToken();
  const reset = useMutation({ mutationFn: resetPassword });
  if (reset.isSuccess) {
    return (
      <EntryPage
        title="The password is set"
        note="All your sessions have been ended. Log in with the new password."
      >
        <Link to="/login" className={buttonClasses("primary")}>
          Log in
        </Link>
      </EntryPage>
    );
  }
  if (token === "") {
    return (
      <EntryPage
        title="The link is missing its end"
        note="Open it as a whole, with what follows the #. If it still ends here, ask an administrator for a new one."
      >
        {null}
      </EntryPage>
    );
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    reset.mutate({ token, password: String(new FormData(event.currentTarget).get("password")) });
  };
  return (
    <EntryPage title="Set a new password" note="It ends all sessions you have.">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <PasswordInput
          label="New password"
          name="password"
          autoFocus
          autoComplete="new-password"
          hint={PASSWORD_RULE}
          error={problemOf(reset.error, "password")}
        />
        <FormProblem error={reset.error} fields={["password"]} />
        <Button type="submit" look="primary" className="!h-8" disabled={reset.isPending}>
          {reset.isPending ? "Setting …" : "Set the password"}
        </Button>
      </form>
    </EntryPage>
  );
}
