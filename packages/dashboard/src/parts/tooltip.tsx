import { Tooltip as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Keys } from "./keys.tsx";

interface TooltipProps {
  text: ReactNode;
  keys?: string;
  side?: "top" | "right" | "bottom" | "left";
  /** One element that takes a ref. */
  children: ReactNode;
}

/** A word of explanation on hover and on focus. */
export function Tooltip({ text, keys, side = "bottom", children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="animate-appear z-50 flex max-w-80 items-center gap-2 rounded-md border border-line-strong bg-raised px-2 py-1 text-xs text-text"
        >
          {text}
          {keys !== undefined && <Keys text={keys} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * For lists by the thousand: the tooltip is made when the pointer comes near, and takes a moment less to draw without.
 * Not for what takes the focus.
 */
export function LazyTooltip({ children, ...rest }: TooltipProps) {
  const [near, setNear] = useState(false);
  return (
    <span onPointerEnter={() => setNear(true)}>
      {near ? <Tooltip {...rest}>{children}</Tooltip> : children}
    </span>
  );
}

/** Stands once around everything that has tooltips. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={350} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  );
}
