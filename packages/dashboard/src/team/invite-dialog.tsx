import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ROLES, type Role, useMayActOnOwners } from "../api/me.ts";
import { type Invitation, invite, type MadeLink } from "../api/people.ts";
import { capital } from "../keys/key-words.ts";
import { Input, Select } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { problemOf } from "../parts/form-problem.tsx";
import { ROLE_MEANINGS } from "./roles.ts";

interface InviteDialogProps {
  onClose(): void;
  onInvited(invitation: Invitation & MadeLink): void;
}

/** Makes a link by which somebody new comes in. */
export function InviteDialog({ onClose, onInvited }: InviteDialogProps) {
  const queryClient = useQueryClient();
  const mayActOnOwners = useMayActOnOwners();
  const [role, setRole] = useState<Role>("member");
  const invitation = useMutation({
    mutationFn: invite,
    onSuccess: (made) => {
      queryClient.invalidateQueries({ queryKey: ["invitations"] });
      onInvited(made);
    },
  });
  const submit = (form: FormData) => {
    const email = String(form.get("email")).trim();
    invitation.mutate({ role, expires_in: String(form.get("expires_in")), ...(email !== "" && { email }) });
  };
  const { error } = invitation;
  return (
    <FormDialog
      title="Invite somebody"
      description="You get a link to hand over: the service sends no mail."
      action="Make the link"
      busy={invitation.isPending}
      error={error}
      fields={["role", "email"]}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label="Role"
        value={role}
        onChange={(event) => setRole(event.target.value as Role)}
        hint={ROLE_MEANINGS[role]}
        error={problemOf(error, "role")}
      >
        {ROLES.map((each) => (
          <option key={each} value={each} disabled={each === "owner" && !mayActOnOwners}>
            {capital(each)}
            {each === "owner" && !mayActOnOwners && " (only owners invite owners)"}
          </option>
        ))}
      </Select>
      <Input
        label="E-mail address"
        name="email"
        type="email"
        autoFocus
        hint="Optional. Without it, whoever has the link may use it."
        error={problemOf(error, "email")}
      />
      <Select label="The link is good for" name="expires_in" defaultValue="7d" className="w-40">
        <option value="1h">an hour</option>
        <option value="24h">a day</option>
        <option value="7d">7 days</option>
        <option value="30d">30 days</option>
      </Select>
    </FormDialog>
  );
}
