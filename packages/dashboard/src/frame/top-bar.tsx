import { Command, Menu } from "lucide-react";
import { IconButton } from "../parts/button.tsx";
import { openDialog } from "./actions.ts";
import { EnvironmentSwitcher } from "./environment-switcher.tsx";

/** Narrow screens: the way to the rail, and what stands on its top. */
export function TopBar({ onMenu }: { onMenu(): void }) {
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-b bg-panel px-2 md:hidden">
      <IconButton label="Open the navigation" icon={<Menu size={16} />} onClick={onMenu} />
      <EnvironmentSwitcher folded={false} />
      <span className="flex-1" />
      <IconButton
        label="Command palette"
        icon={<Command size={15} />}
        onClick={() => openDialog("palette")}
      />
    </header>
  );
}
