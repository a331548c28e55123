import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { setUp, setupQuery } from "../api/sessions.ts";
import { AccountForm } from "../login/account-form.tsx";
import { EntryPage } from "../login/entry-page.tsx";
import { useLinkToken } from "../login/link-token.ts";
import { buttonClasses } from "../parts/button.tsx";
import { Command } from "../parts/states.tsx";

/** Makes the first account, by the link that the start of the service prints. */
export function SetupPage() {
  const token = useLinkToken();
  const setup = useQuery(setupQuery());
  if (setup.data?.needed === false) {
    return (
      <EntryPage title="This service is set up" note="It has an owner, who can invite you.">
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
        note="Open the set-up link as a whole, with what follows the #. The service prints it when it starts without an owner, and a new one with each start:"
      >
        <Command text="svc start" />
      </EntryPage>
    );
  }
  return (
    <EntryPage title="Set up svc" note="Make the first account. It owns the service and can invite others.">
      <AccountForm token={token} create={setUp} />
    </EntryPage>
  );
}
