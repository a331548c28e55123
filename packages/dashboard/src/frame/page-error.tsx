import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { isAway, whenBack } from "../api/away.ts";
import { ErrorState } from "../parts/states.tsx";

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
