import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";

interface DialogProps {
  title: string;
  /** One sentence below the title. */
  description?: ReactNode;
  onClose(): void;
  size?: "small" | "large";
  /** A click beside it does not close it: what it shows is shown this once. */
  stays?: boolean;
  /** Buttons below, at the right. */
  footer?: ReactNode;
  children: ReactNode;
}

const WIDTHS = { small: "max-w-md", large: "max-w-3xl" };

/** A dialog over the page: takes the focus, closes with Escape, gives the focus back. */
export function Dialog({
  title,
  description,
  onClose,
  size = "small",
  stays = false,
  footer,
  children,
}: DialogProps) {
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          tabIndex={-1}
          onOpenAutoFocus={focusFirstField}
          {...(description === undefined && { "aria-describedby": undefined })}
          {...(stays && { onInteractOutside: (event) => event.preventDefault() })}
          className={classNames(
            "animate-appear fixed top-[8vh] left-1/2 z-50 flex max-h-[84vh] w-[calc(100vw-1.5rem)] -translate-x-1/2 flex-col rounded-md border border-line-strong bg-page outline-none",
            WIDTHS[size],
          )}
        >
          <div className="flex items-start gap-2 border-b px-4 py-2.5">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-base leading-7 font-semibold">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="text-muted">{description}</Radix.Description>
              )}
            </div>
            <IconButton label="Close" icon={<X size={15} />} onClick={onClose} />
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
          {footer !== undefined && (
            <div className="flex flex-wrap items-center justify-end gap-2 border-t px-4 py-2.5">{footer}</div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Into the first field, else onto the dialog itself: the button that closes it would show its tooltip at once. */
function focusFirstField(event: Event): void {
  event.preventDefault();
  const dialog = event.currentTarget as HTMLElement;
  const field = dialog.querySelector<HTMLElement>("input, select, textarea");
  (field ?? dialog).focus();
}
