/** Every address of the dashboard. Each page is a chunk of its own, loaded when it is first shown. */
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  redirect,
  retainSearchParams,
} from "@tanstack/react-router";
import { Frame } from "./frame/frame.tsx";
import { lazyPage } from "./frame/lazy-page.ts";
import { NotFound } from "./frame/not-found.tsx";
import { PageError } from "./frame/page-error.tsx";
import { onlyWithLogin, onlyWithoutLogin, requireLogin } from "./login/way-in.ts";
import { basePath } from "./place.ts";

/** Parts of the query string; every value is text, as a person would type it. */
export type Search = { [name: string]: string | undefined };

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  validateSearch: (search: Search): Search => search,
  search: { middlewares: [retainSearchParams(["env"])] },
  notFoundComponent: NotFound,
});

/** Pages with the rail at their left. */
const framed = createRoute({
  getParentRoute: () => root,
  id: "framed",
  component: Frame,
  beforeLoad: ({ context, location }) => requireLogin(context.queryClient, location),
});

const home = createRoute({
  getParentRoute: () => framed,
  path: "/",
  beforeLoad: ({ search }) => {
    throw redirect({ to: "/events", search, replace: true });
  },
});

const events = createRoute({
  getParentRoute: () => framed,
  path: "/events",
  component: lazyPage(async () => (await import("./events/events-page.tsx")).EventsPage),
});
const event = createRoute({
  getParentRoute: () => events,
  path: "$eventId",
  component: lazyPage(async () => (await import("./events/event-panel.tsx")).EventPanel),
});
const runs = createRoute({
  getParentRoute: () => framed,
  path: "/runs",
  component: lazyPage(async () => (await import("./runs/runs-page.tsx")).RunsPage),
});
const run = createRoute({
  getParentRoute: () => runs,
  path: "$runId",
  component: lazyPage(async () => (await import("./runs/run-panel.tsx")).RunPanel),
});
const functions = createRoute({
  getParentRoute: () => framed,
  path: "/functions",
  component: lazyPage(async () => (await import("./functions/functions-page.tsx")).FunctionsPage),
});
const fn = createRoute({
  getParentRoute: () => framed,
  path: "/functions/$functionId",
  component: lazyPage(async () => (await import("./functions/function-page.tsx")).FunctionPage),
});
const apps = createRoute({
  getParentRoute: () => framed,
  path: "/apps",
  component: lazyPage(async () => (await import("./apps/apps-page.tsx")).AppsPage),
});
const webhooks = createRoute({
  getParentRoute: () => framed,
  path: "/webhooks",
  component: lazyPage(async () => (await import("./webhooks/webhooks-page.tsx")).WebhooksPage),
});
const webhook = createRoute({
  getParentRoute: () => framed,
  path: "/webhooks/$webhookId",
  component: lazyPage(async () => (await import("./webhooks/webhook-page.tsx")).WebhookPage),
});
const keys = createRoute({
  getParentRoute: () => framed,
  path: "/keys",
  component: lazyPage(async () => (await import("./keys/keys-page.tsx")).KeysPage),
});
const environments = createRoute({
  getParentRoute: () => framed,
  path: "/environments",
  component: lazyPage(async () => (await import("./environments/environments-page.tsx")).EnvironmentsPage),
});
const team = createRoute({
  getParentRoute: () => framed,
  path: "/team",
  component: lazyPage(async () => (await import("./team/team-page.tsx")).TeamPage),
});
const settings = createRoute({
  getParentRoute: () => framed,
  path: "/settings",
  component: lazyPage(async () => (await import("./settings/settings-page.tsx")).SettingsPage),
});
const account = createRoute({
  getParentRoute: () => framed,
  path: "/account",
  component: lazyPage(async () => (await import("./account/account-page.tsx")).AccountPage),
});

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  beforeLoad: ({ context, search }) => onlyWithoutLogin(context.queryClient, search.to),
  component: lazyPage(async () => (await import("./login/login-page.tsx")).LoginPage),
});
const setup = createRoute({
  getParentRoute: () => root,
  path: "/setup",
  beforeLoad: onlyWithLogin,
  component: lazyPage(async () => (await import("./setup/setup-page.tsx")).SetupPage),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitation",
  beforeLoad: onlyWithLogin,
  component: lazyPage(async () => (await import("./invitation/invitation-page.tsx")).InvitationPage),
});
const passwordReset = createRoute({
  getParentRoute: () => root,
  path: "/password-reset",
  beforeLoad: onlyWithLogin,
  component: lazyPage(
    async () => (await import("./password-reset/password-reset-page.tsx")).PasswordResetPage,
  ),
});

const tree = root.addChildren([
  framed.addChildren([
    home,
    events.addChildren([event]),
    runs.addChildren([run]),
    functions,
    fn,
    apps,
    webhooks,
    webhook,
    keys,
    environments,
    team,
    settings,
    account,
  ]),
  login,
  setup,
  invitation,
  passwordReset,
]);

/** The router; its addresses begin where the service says the dashboard is. */
export function createDashboardRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: basePath,
    context: { queryClient },
    defaultPreload: "intent",
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: false,
    // Plain text both ways: `?q=42` stays what was typed, and links can be read.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
      const text = new URLSearchParams(entries as [string, string][]).toString();
      // Commas, slashes and stars stand in names and lists, and mean nothing in a query string.
      const plain = text.replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%3A", ":");
      return plain === "" ? "" : `?${plain}`;
    },
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
