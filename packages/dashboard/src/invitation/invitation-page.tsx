import { acceptInvitation } from "../api/sessions.ts";
import { AccountForm } from "../login/account-form.tsx";
import { EntryPage } from "../login/entry-page.tsx";
import { useLinkToken } from "../login/link-token.ts";

/** Makes an account by an invitation. */
export function InvitationPage() {
  const token = useLinkToken();
  if (token === "") {
    return (
      <EntryPage
        title="The link is missing its end"
        note="Open the invitation as a whole, with what follows the #. If it still ends here, ask whoever invited you for a new one."
      >
        {null}
      </EntryPage>
    );
  }
  return (
    <EntryPage title="Join svc" note="You have been invited. Make your account.">
      <AccountForm token={token} create={acceptInvitation} emailOptional />
    </EntryPage>
  );
}
