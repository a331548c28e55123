import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { isAway, whenBack } from "../api/away.ts";
import { ApiError } from "../api/request.ts";
import { buttonClasses } from "../parts/button.tsx";
import { usePageTitle } from "../parts/page-title.ts";
import { EmptyState, ErrorState } from "../parts/states.tsx";
import { environment, serviceUrl } from "../place.ts";

/** Which failure the page was last loaded anew for: the same one again is not mended by it. */
const KEY = "svc-loaded-anew-for";

/** A page that broke, or could not be loaded: the service is away, or was updated and its old parts are gone. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { message } = error as Error;
  const gone = /dynamically imported module|module script|Failed to fetch/i.test(message);
  const away = isAway(error);
  useEffect(() => {
    if (!gone && !away) return;
    let shown = true;
    void whenBack().then(() => {
      if (!shown) return;
      if (away) {
        reset();
        void router.invalidate();
      } else if (sessionStorage.getItem(KEY) !== message) {
        sessionStorage.setItem(KEY, message);
        window.location.reload();
      }
    });
    return () => {
      shown = false;
    };
  }, [gone, away, message, reset, router]);
  if (gone) {
    const sentence = new Error(
      "This page could not be loaded. The service may be restarting, or have been updated since; the page loads when it answers.",
    );
    return <ErrorState error={sentence} onRetry={() => window.location.reload()} />;
  }
  if (error instanceof ApiError && error.code === "environment_not_found") return <NoEnvironment />;
  return (
    <ErrorState
      error={error}
      onRetry={() => {
        reset();
        router.invalidate();
      }}
    />
  );
}

/** A link to an environment that was given up: without one there is no frame to find another in. */
function NoEnvironment() {
  usePageTitle("Not found");
  return (
    <EmptyState
      title={`There is no environment ${environment()}`}
      action={
        // A page of its own: nothing that was read for the other environment stays.
        <a href={serviceUrl("events")} className={buttonClasses("primary")}>
          Go to production
        </a>
      }
    >
      It may have another name by now, or not be for you to see.
    </EmptyState>
  );
}
