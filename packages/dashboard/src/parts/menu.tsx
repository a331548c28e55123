import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { cloneElement, type ReactElement, type ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface MenuProps {
  /** Name of the menu and of its button. */
  label: string;
  /** A button. */
  trigger: ReactElement<{ "aria-label"?: string }>;
  align?: "start" | "center" | "end";
  children: ReactNode;
}

/** A menu that drops from a button. Not modal: the page behind it stays readable for everybody. */
export function Menu({ label, trigger, align = "start", children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{cloneElement(trigger, { "aria-label": label })}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="animate-appear z-50 max-h-[min(24rem,var(--radix-dropdown-menu-content-available-height))] min-w-44 overflow-y-auto rounded-md border border-line-strong bg-raised p-1"
        >
          {children}
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
