/** Starts the dashboard: theme, queries, routes. */
import "./style.css";
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/request.ts";
import { applyTheme } from "./frame/theme.ts";
import { nonce } from "./place.ts";
import { createDashboardRouter } from "./routes.tsx";

// Where the libraries that write <style> elements look for the nonce of the content security policy.
Object.assign(globalThis, { __webpack_nonce__: nonce });
applyTheme();

const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (error instanceof ApiError && error.status === 401) void logIn();
    },
  }),
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

/** To the login, and back afterwards to where the reader was. */
async function logIn(): Promise<void> {
  const { pathname, href } = router.state.location;
  if (pathname === "/login") return;
  await router.navigate({ to: "/login", search: { to: href } as never });
}

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
