/** The menu itself, with the focus and keyboard of Radix; `Menu` loads it when the first one is asked for. */
import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type ReactElement, type ReactNode, Suspense } from "react";
import { classNames } from "./class-names.ts";

interface OpenMenuProps {
  trigger: ReactElement;
  align: "start" | "center" | "end";
  children: ReactNode;
}

/** A menu that is open when it is first drawn. */
export function OpenMenu({ trigger, align, children }: OpenMenuProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="animate-appear z-50 max-h-[min(24rem,var(--radix-dropdown-menu-content-available-height))] min-w-44 overflow-y-auto rounded-md border border-line-strong bg-raised p-1"
        >
          <Suspense>{children}</Suspense>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  checked?: boolean;
  danger?: boolean;
  disabled?: boolean;
  /** Stands at the right, muted. */
  note?: ReactNode;
  onSelect(): void;
  children: ReactNode;
}

/** One line of a menu. */
export function MenuItem({
  icon,
  checked,
  danger = false,
  disabled = false,
  note,
  onSelect,
  children,
}: MenuItemProps) {
  return (
    <DropdownMenu.Item
      disabled={disabled}
      onSelect={onSelect}
      className={classNames(
        "flex h-7 cursor-default items-center gap-2 rounded px-2 outline-none data-disabled:opacity-50 data-highlighted:bg-hover",
        danger && "text-failed",
      )}
    >
      {icon !== undefined && <span className="flex w-4 shrink-0 justify-center text-muted">{icon}</span>}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {note !== undefined && <span className="text-xs text-muted">{note}</span>}
      {checked && <Check size={14} aria-label="chosen" className="text-accent" />}
    </DropdownMenu.Item>
  );
}

/** A line between groups. */
export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}

/** A heading of a group. */
export function MenuHeading({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2 pt-1.5 pb-1 text-xs text-muted">{children}</DropdownMenu.Label>;
}
