import { Popover } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface DropProps {
  /** What it is for, for those who listen. */
  label: string;
  /** A button. */
  trigger: ReactElement;
  /** Where whoever shows it has to know or decide. */
  open?: boolean;
  onOpenChange?(open: boolean): void;
  /** Width and padding. */
  className: string;
  children: ReactNode;
}

/** Controls that drop from a button; for lists of actions there is `Menu`. */
export function Drop({ label, trigger, className, children, ...state }: DropProps) {
  return (
    <Popover.Root {...state}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className={classNames(
            "animate-appear z-50 max-w-[calc(100vw-16px)] rounded-md border border-line-strong bg-raised",
            className,
          )}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
