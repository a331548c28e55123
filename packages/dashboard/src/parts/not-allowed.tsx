import { Lock } from "lucide-react";
import { type Permission, useMe } from "../api/me.ts";
import { EmptyState } from "./states.tsx";

const WHO: Record<Permission, string> = {
  read: "Anybody who is let in may",
  send: "Members, admins and owners may",
  manage: "Members, admins and owners may",
  administer: "Admins and owners may",
};

/** In the place of a page that is not for whoever looks. @param what ends the sentence "… may not …" */
export function NotAllowed({ permission, what }: { permission: Permission; what: string }) {
  const me = useMe();
  return (
    <EmptyState title={`You may not ${what}`}>
      {WHO[permission]}.{" "}
      {me?.user == null
        ? `The API token ${me?.name ?? ""} lacks the right to ${permission}.`
        : `Your role is ${me.user.role}: an owner or admin can give you another one.`}
    </EmptyState>
  );
}

/** In the place of controls that are not for whoever looks: says why they are not there. */
export function LookOnly({ permission }: { permission: Permission }) {
  const me = useMe();
  if (me === undefined) return null;
  const who = me.user === null ? "This API token" : `The role ${me.user.role}`;
  return (
    <p className="flex items-center gap-1.5 text-muted">
      <Lock size={13} aria-hidden className="shrink-0" />
      {who} may look at this, not {permission === "send" ? "set it going" : "change it"}.
    </p>
  );
}
