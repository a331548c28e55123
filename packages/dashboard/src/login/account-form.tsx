import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import type { Me } from "../api/me.ts";
import type { NewAccount } from "../api/sessions.ts";
import { Button } from "../parts/button.tsx";
import { Input } from "../parts/field.tsx";
import { FormProblem, problemOf } from "../parts/form-problem.tsx";
import { PASSWORD_RULE, PasswordInput } from "../parts/password-input.tsx";

interface AccountFormProps {
  token: string;
  /** Makes the account and logs in. */
  create(account: NewAccount): Promise<Me>;
  /** Whether the field for the address may stay empty: an invitation can be for one. */
  emailOptional?: boolean;
}

/** Name, e-mail address and password of somebody new; leads to the dashboard. */
export function AccountForm({ token, create, emailOptional = false }: AccountFormProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const creation = useMutation({
    mutationFn: create,
    onSuccess: () => {
      queryClient.clear();
      return navigate({ to: "/events", replace: true });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (field: string) => String(form.get(field) ?? "");
    const email = text("email").trim();
    creation.mutate({
      token,
      name: text("name"),
      password: text("password"),
      ...(email !== "" && { email }),
    });
  };
  const { error } = creation;
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Input
        label="Name"
        name="name"
        required
        autoFocus
        autoComplete="name"
        maxLength={100}
        error={problemOf(error, "name")}
      />
      <Input
        label="E-mail address"
        name="email"
        type="email"
        required={!emailOptional}
        autoComplete="username"
        hint={emailOptional ? "Leave it empty if the invitation was made for your address." : undefined}
        error={problemOf(error, "email")}
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="new-password"
        hint={PASSWORD_RULE}
        error={problemOf(error, "password")}
      />
      <FormProblem error={error} fields={["name", "email", "password"]} />
      <Button type="submit" look="primary" className="!h-8" disabled={creation.isPending}>
        {creation.isPending ? "Creating the account …" : "Create the account"}
      </Button>
    </form>
  );
}
