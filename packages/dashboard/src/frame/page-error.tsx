import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ErrorState } from "../parts/states.tsx";

/** A page that broke, or could not be loaded: after an update of the service its old parts are gone. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const gone = /dynamically imported module|module script|Failed to fetch/i.test((error as Error).message);
  if (gone) {
    const sentence = new Error("This page could not be loaded. The service may have been updated since.");
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
