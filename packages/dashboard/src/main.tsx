/** Starts the dashboard: theme, queries, routes. */
import "./style.css";
import {
  MutationCache,
  notifyManager,
  QueryCache,
  QueryClient,
  QueryClientProvider,
} from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { isAway, whenBack } from "./api/away.ts";
import { ApiError } from "./api/request.ts";
import { applyTheme } from "./frame/theme.ts";
import { takeLinkToken } from "./login/link-token.ts";
import { isUnknown, wayToLogin } from "./login/way-in.ts";
import { nonce } from "./place.ts";
import { createDashboardRouter } from "./routes.tsx";

// Where the libraries that write <style> elements look for the nonce of the content security policy.
Object.assign(globalThis, { __webpack_nonce__: nonce });
// A form that was sent is busy before the next event: told a task later, a double click on a slow machine sends it twice.
notifyManager.setScheduler(queueMicrotask);
applyTheme();
takeLinkToken();

/** A session may end while a page is open: then the way in is shown, and from there the way back. */
function onError(error: Error): void {
  if (isAway(error)) void whenBack().then(readFailedAnew);
  if (!isUnknown(error)) return;
  const way = wayToLogin(queryClient, router.latestLocation);
  if (way !== null) router.navigate({ to: way.to, search: way.search as never, ignoreBlocker: true });
}

/** What could not be read while the service was away, as far as it is shown still. */
function readFailedAnew(): void {
  void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => isAway(state.error) });
}

const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the API refuses, it refuses again; what did not answer may be restarting.
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});
const router = createDashboardRouter(queryClient);

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
