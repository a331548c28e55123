import { Link } from "@tanstack/react-router";
import { Command, PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../parts/button.tsx";
import { classNames } from "../parts/class-names.ts";
import { Keys } from "../parts/keys.tsx";
import { Tooltip } from "../parts/tooltip.tsx";
import { mode, version } from "../place.ts";
import { AccountMenu } from "./account-menu.tsx";
import { openDialog } from "./actions.ts";
import { EnvironmentSwitcher } from "./environment-switcher.tsx";
import { PAGES, type PageLink } from "./pages.ts";
import { ThemeMenu } from "./theme-menu.tsx";

const KEY = "svc-rail";

interface RailProps {
  /** Narrow screens: whether it covers the page. */
  open: boolean;
  onClose(): void;
}

/** The navigation at the left: 208 px, or 48 px when folded; on narrow screens it slides over the page. */
export function Rail({ open, onClose }: RailProps) {
  const [folded, setFolded] = useState(() => localStorage.getItem(KEY) === "folded");
  const fold = (next: boolean) => {
    setFolded(next);
    localStorage.setItem(KEY, next ? "folded" : "open");
  };
  const narrow = folded && !open;

  return (
    <>
      {open && (
        <button
          type="button"
          aria-label="Close the navigation"
          className="fixed inset-0 z-30 bg-black/40 md:hidden"
          onClick={onClose}
        />
      )}
      <nav
        aria-label="Main"
        className={classNames(
          "z-40 shrink-0 flex-col border-r bg-panel md:flex",
          open ? "animate-appear fixed inset-y-0 left-0 flex w-60" : "hidden",
          narrow ? "md:w-12" : "md:w-52",
        )}
      >
        <div className="flex h-12 items-center gap-1 px-2">
          <EnvironmentSwitcher folded={narrow} />
        </div>
        <div className="flex min-h-0 flex-1 flex-col gap-px overflow-y-auto px-2 pb-2">
          <button
            type="button"
            onClick={() => openDialog("palette")}
            aria-label={narrow ? "Command palette" : undefined}
            className="mb-2 flex h-7 items-center gap-2 rounded-md border bg-page px-2 text-muted hover:border-line-strong"
          >
            <Command size={13} aria-hidden className="shrink-0" />
            {!narrow && (
              <>
                <span className="flex-1 text-left">Find or do…</span>
                <Keys text="mod+k" />
              </>
            )}
          </button>
          <RailLinks group="watch" folded={narrow} />
          {narrow ? (
            <hr className="my-2" />
          ) : (
            <h2 className="px-2 pt-4 pb-1 text-xs font-medium text-muted">Manage</h2>
          )}
          <RailLinks group="manage" folded={narrow} />
        </div>
        <div className={classNames("flex items-center gap-1 border-t p-2", narrow && "flex-col")}>
          {mode === "start" ? (
            <AccountMenu folded={narrow} />
          ) : (
            !narrow && <span className="flex-1 truncate pl-2 text-xs text-muted">svc {version} dev</span>
          )}
          <ThemeMenu />
          <span className="hidden md:block">
            <IconButton
              label={folded ? "Unfold the navigation" : "Fold the navigation"}
              icon={folded ? <PanelLeftOpen size={15} /> : <PanelLeftClose size={15} />}
              aria-expanded={!folded}
              onClick={() => fold(!folded)}
            />
          </span>
        </div>
      </nav>
    </>
  );
}

function RailLinks({ group, folded }: { group: PageLink["group"]; folded: boolean }) {
  return (
    <ul className="flex flex-col gap-px">
      {PAGES.filter((page) => page.group === group && page.modes.includes(mode)).map((page) => (
        <li key={page.to}>
          <Tooltip text={page.label} keys={page.keys} side="right">
            <Link
              to={page.to}
              className="group flex h-8 items-center gap-2 rounded-md px-2 text-muted hover:bg-hover hover:text-text md:h-7"
              activeProps={{ className: "bg-hover !text-text font-medium" }}
              aria-label={folded ? page.label : undefined}
            >
              <page.icon size={15} aria-hidden className="shrink-0" />
              {!folded && <span className="flex-1">{page.label}</span>}
            </Link>
          </Tooltip>
        </li>
      ))}
    </ul>
  );
}
