import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Input } from "./field.tsx";
import { useShortcut } from "./shortcuts.ts";

interface TypedFilterProps {
  label: string;
  placeholder: string;
  value: string;
  onChange(value: string): void;
  keys?: string;
  className: string;
}

/** Pause after the last key before what was typed takes effect, ms. */
const TYPING_MS = 250;

/** A field that filters a moment after typing. */
export function TypedFilter({ label, placeholder, value, onChange, keys, className }: TypedFilterProps) {
  const [typed, setTyped] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => latest.current(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  useShortcut(
    { keys: keys ?? "/", label: "Search", group: "Lists" },
    keys === undefined ? null : () => field.current?.focus(),
  );
  return (
    <Input
      ref={field}
      label={label}
      hiddenLabel
      type="search"
      maxLength={200}
      className={className}
      placeholder={placeholder}
      icon={<Search size={12} aria-hidden />}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") onChange(typed);
        if (event.key !== "Escape") return;
        // The browser would clear the field.
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}
