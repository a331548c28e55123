import type { ButtonHTMLAttributes, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Tooltip } from "./tooltip.tsx";

type Look = "primary" | "plain" | "quiet" | "danger";

const LOOKS: Record<Look, string> = {
  primary: "bg-accent text-on-accent border-transparent hover:brightness-110",
  plain: "bg-raised border-line-strong hover:bg-hover",
  quiet: "border-transparent text-muted hover:bg-hover hover:text-text",
  danger: "border-line-strong bg-raised text-failed hover:bg-failed-soft",
};

/** Classes of a button, for links that look like one. */
export function buttonClasses(look: Look = "plain", className = ""): string {
  return classNames(
    "inline-flex h-7 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md border px-2.5 text-sm font-medium transition-colors duration-100 disabled:opacity-50 disabled:pointer-events-none",
    LOOKS[look],
    className,
  );
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  icon?: ReactNode;
}

/** A button, 28 px high. */
export function Button({
  look = "plain",
  icon,
  className = "",
  children,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button {...rest} type={type} className={buttonClasses(look, className)}>
      {icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "aria-label" | "title"> {
  /** What it does; shown as its tooltip. */
  label: string;
  icon: ReactNode;
  /** Keys that do the same, shown beside the label. */
  keys?: string;
}

/** A square button of 28 px with an icon and a name. */
export function IconButton({ label, icon, keys, className = "", type = "button", ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} {...(keys !== undefined && { keys })}>
      <button
        {...rest}
        type={type}
        aria-label={label}
        className={classNames(
          "inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted transition-colors duration-100 hover:bg-hover hover:text-text disabled:opacity-40 aria-pressed:bg-accent-soft aria-pressed:text-accent",
          className,
        )}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
