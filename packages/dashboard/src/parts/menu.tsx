/** Menus that drop from a button. What opens is loaded when the pointer or the focus comes near the first one. */
import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from "react";

const load = () => import("./menu-content.tsx");
const OpenMenu = lazy(async () => ({ default: (await load()).OpenMenu }));

/** One line of a menu. */
export const MenuItem = lazy(async () => ({ default: (await load()).MenuItem }));
/** A line between groups. */
export const MenuLine = lazy(async () => ({ default: (await load()).MenuLine }));
/** A heading of a group. */
export const MenuHeading = lazy(async () => ({ default: (await load()).MenuHeading }));

interface MenuProps {
  /** Name of the menu and of its button. */
  label: string;
  /** A button. */
  trigger: ReactElement<ButtonParts>;
  align?: "start" | "center" | "end";
  children: ReactNode;
}

interface ButtonParts {
  "aria-label"?: string;
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
  onPointerEnter?(): void;
  onFocus?(): void;
  onClick?(): void;
}

/** A menu that drops from a button. Not modal: the page behind it stays readable for everybody. */
export function Menu({ label, trigger, align = "start", children }: MenuProps) {
  const [asked, setAsked] = useState(false);
  const button = cloneElement(trigger, { "aria-label": label });
  const prefetch = () => void load();
  const closed = cloneElement(button, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: prefetch,
    onFocus: prefetch,
    onClick: () => setAsked(true),
  });
  if (!asked) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenMenu trigger={button} align={align}>
        {children}
      </OpenMenu>
    </Suspense>
  );
}
