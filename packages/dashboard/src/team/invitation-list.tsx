import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMayActOnOwners } from "../api/me.ts";
import { type Invitation, invitationsQuery, revokeInvitation } from "../api/people.ts";
import { capital } from "../keys/key-words.ts";
import { Button } from "../parts/button.tsx";
import { usePageSearch } from "../parts/page-search.ts";
import { EmptyState, ErrorState, SkeletonRows } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { toast, toastError } from "../parts/toast.tsx";

/** Invitations that wait for somebody; there are 500 at most. */
export function InvitationList() {
  const [, change] = usePageSearch();
  const list = useQuery(invitationsQuery());
  if (list.isPending) return <SkeletonRows rows={3} />;
  if (list.isError) return <ErrorState error={list.error} onRetry={() => list.refetch()} />;
  if (list.data.length === 0) {
    return (
      <EmptyState
        title="No invitation waits"
        action={
          <Button look="primary" onClick={() => change({ invite: "1" }, "push")}>
            Invite somebody
          </Button>
        }
      >
        An invitation is a link for one person. It stands here until it is used, revoked or over.
      </EmptyState>
    );
  }
  return (
    <ul aria-label="Invitations">
      {list.data.map((invitation) => (
        <InvitationRow key={invitation.id} invitation={invitation} />
      ))}
    </ul>
  );
}

function InvitationRow({
  invitation: { id, email, role, created_by, expires_at },
}: {
  invitation: Invitation;
}) {
  const queryClient = useQueryClient();
  const mayActOnOwners = useMayActOnOwners();
  const revocation = useMutation({
    mutationFn: () => revokeInvitation(id),
    onSuccess: () => toast("done", "The link works no more."),
    onError: toastError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["invitations"] }),
  });
  const whom = email ?? "whoever has the link";
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 border-b px-4 py-1 sm:min-h-9 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_64px]">
      <span className="truncate">
        <span className="font-medium">{whom}</span> <span className="text-muted">· {capital(role)}</span>
      </span>
      <span className="truncate text-muted max-sm:row-start-2">
        by {created_by ?? "somebody removed"}, ends <Time at={expires_at} />
      </span>
      <span className="justify-self-end max-sm:row-span-2 max-sm:row-start-1 max-sm:col-start-2">
        {role === "owner" && !mayActOnOwners ? (
          <span className="text-xs text-muted">for owners to revoke</span>
        ) : (
          <Button
            aria-label={`Revoke the invitation for ${whom}`}
            disabled={revocation.isPending}
            onClick={() => revocation.mutate()}
          >
            Revoke
          </Button>
        )}
      </span>
    </li>
  );
}
