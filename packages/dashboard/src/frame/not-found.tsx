import { Link } from "@tanstack/react-router";
import { buttonClasses } from "../parts/button.tsx";
import { usePageTitle } from "../parts/page-title.ts";
import { EmptyState } from "../parts/states.tsx";

/** An address that no page has. */
export function NotFound() {
  usePageTitle("Not found");
  return (
    <EmptyState
      title="There is no such page"
      action={
        <Link to="/events" className={buttonClasses("primary")}>
          Go to Events
        </Link>
      }
    >
      The address may be mistyped, or from another version of the service.
    </EmptyState>
  );
}
