import { Command } from "cmdk";
import { Check } from "lucide-react";
import { useState } from "react";
import type { MultiSelectProps } from "./multi-select.tsx";

const ITEM =
  "flex min-h-7 cursor-default items-center gap-2 rounded px-2 data-[selected=true]:bg-hover [&_span]:truncate";

/** The list of a MultiSelect, loaded when it first opens. */
export default function MultiSelectList(props: MultiSelectProps) {
  const { label, chosen, onChange, useChoices, accepts, hint } = props;
  const [typed, setTyped] = useState("");
  const { choices, loading } = useChoices(typed);
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]);
  const found = choices.filter(({ value }) => !chosen.includes(value));
  const own = typed.trim();
  const canTake = own !== "" && accepts?.(own) === true && !choices.some(({ value }) => value === own);

  return (
    <Command shouldFilter={false} label={label} loop>
      <Command.Input
        autoFocus
        value={typed}
        onValueChange={setTyped}
        placeholder={`Find a ${label.toLowerCase()}…`}
        className="h-9 w-full border-b bg-transparent px-3 outline-none placeholder:text-muted"
      />
      <Command.List className="max-h-72 overflow-y-auto p-1">
        {chosen.map((value) => (
          <Command.Item key={value} value={`chosen ${value}`} onSelect={() => toggle(value)} className={ITEM}>
            <Check size={14} aria-label="chosen" className="shrink-0 text-accent" />
            <span className="flex-1 font-mono text-xs">{value}</span>
          </Command.Item>
        ))}
        {canTake && (
          <Command.Item value={`own ${own}`} onSelect={() => toggle(own)} className={ITEM}>
            <span className="w-3.5 shrink-0" />
            <span className="flex-1">
              Take <code className="text-xs">{own}</code>
            </span>
          </Command.Item>
        )}
        {found.map(({ value, label: shown }) => (
          <Command.Item key={value} value={value} onSelect={() => toggle(value)} className={ITEM}>
            <span className="w-3.5 shrink-0" />
            <span className="flex-1 font-mono text-xs">{shown ?? value}</span>
          </Command.Item>
        ))}
        {found.length === 0 && !canTake && chosen.length === 0 && (
          <p className="px-2 py-3 text-muted">{loading ? "Loading …" : "Nothing fits."}</p>
        )}
      </Command.List>
      {hint !== undefined && <p className="border-t px-3 py-1.5 text-xs text-muted">{hint}</p>}
    </Command>
  );
}
