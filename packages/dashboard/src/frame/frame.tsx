import { Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { useMay } from "../api/me.ts";
import { listenForShortcuts, useShortcut } from "../parts/shortcuts.ts";
import { Toasts } from "../parts/toast.tsx";
import { TooltipProvider } from "../parts/tooltip.tsx";
import { mode } from "../place.ts";
import { useActionDialogs } from "./actions.ts";
import { PAGES, type PageLink } from "./pages.ts";
import { Rail } from "./rail.tsx";
import { TopBar } from "./top-bar.tsx";

const CommandPalette = lazy(() => import("./command-palette.tsx"));
const ShortcutList = lazy(() => import("./shortcut-list.tsx"));
const SendEventDialog = lazy(() => import("../events/send-event-dialog.tsx"));

/** The rail, the page, and what opens over any page: command palette, shortcuts, sending an event. */
export function Frame() {
  const dialogs = useActionDialogs();
  const [railOpen, setRailOpen] = useState(false);
  const path = useLocation({ select: (location) => location.pathname });
  useEffect(listenForShortcuts, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rail of narrow screens closes when the page changes
  useEffect(() => setRailOpen(false), [path]);
  useShortcut({ keys: "mod+k", label: "Command palette", group: "Anywhere" }, () => dialogs.open("palette"));
  useShortcut({ keys: "?", label: "Keyboard shortcuts", group: "Anywhere" }, () => dialogs.open("shortcuts"));
  const maySend = useMay("send");
  useShortcut(
    { keys: "c", label: "Send an event", group: "Anywhere" },
    maySend ? () => dialogs.open("send") : null,
  );

  return (
    <TooltipProvider>
      <a
        href="#page"
        className="sr-only z-50 rounded-md bg-accent px-3 py-1.5 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the page
      </a>
      <div className="flex h-full flex-col md:flex-row">
        <TopBar onMenu={() => setRailOpen(true)} />
        <Rail open={railOpen} onClose={() => setRailOpen(false)} />
        <main id="page" tabIndex={-1} className="relative flex min-h-0 min-w-0 flex-1 flex-col outline-none">
          <Outlet />
        </main>
      </div>
      {PAGES.filter((page) => page.modes.includes(mode)).map((page) => (
        <PageShortcut key={page.to} page={page} />
      ))}
      <Suspense>
        {dialogs.shown === "palette" && <CommandPalette onClose={dialogs.close} />}
        {dialogs.shown === "shortcuts" && <ShortcutList onClose={dialogs.close} />}
        {dialogs.shown === "send" && <SendEventDialog onClose={dialogs.close} start={dialogs.draft} />}
      </Suspense>
      <Toasts />
    </TooltipProvider>
  );
}

function PageShortcut({ page }: { page: PageLink }) {
  const navigate = useNavigate();
  useShortcut({ keys: page.keys, label: page.label, group: "Go to" }, () => {
    navigate({ to: page.to });
  });
  return null;
}
