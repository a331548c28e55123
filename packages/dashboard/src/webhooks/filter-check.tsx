import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { useState } from "react";
import { ApiError } from "../api/request.ts";
import { filterTestQuery, type Webhook } from "../api/webhooks.ts";
import { Input } from "../parts/field.tsx";
import { useDebounced } from "./debounced.ts";

/** Pause after the last key before the service is asked, ms. */
const DELAY_MS = 250;

const TEXTS = {
  event: { label: "Would this event pass?", placeholder: "shop/order.placed" },
  ip: { label: "Would this address pass?", placeholder: "203.0.113.7" },
};

interface FilterCheckProps {
  kind: "event" | "ip";
  /** As they are typed, saved or not. */
  filters: Pick<Webhook, "event_filter" | "ip_filter">;
}

/** Says whether a name or an address would pass the filters as they stand in the form. */
export function FilterCheck({ kind, filters }: FilterCheckProps) {
  const [typed, setTyped] = useState("");
  const own = {
    event_filter: kind === "event" ? filters.event_filter : null,
    ip_filter: kind === "ip" ? filters.ip_filter : null,
  };
  const asked = useDebounced(JSON.stringify({ own, text: typed.trim() }), DELAY_MS);
  const { own: settled, text } = JSON.parse(asked) as { own: typeof own; text: string };
  const verdict = useQuery({ ...filterTestQuery(settled, { [kind]: text }), enabled: text !== "" });
  const passes = verdict.data?.[kind];
  const { label, placeholder } = TEXTS[kind];
  const problem =
    text === "" || verdict.error === null
      ? undefined
      : verdict.error instanceof ApiError && verdict.error.field === "ip"
        ? "Not a whole address yet."
        : verdict.error.message;
  return (
    <div className="mt-3 flex flex-wrap items-start gap-3">
      <Input
        label={label}
        value={typed}
        placeholder={placeholder}
        maxLength={kind === "event" ? 256 : 100}
        onChange={(event) => setTyped(event.target.value)}
        error={problem}
        className="w-72 max-w-full"
      />
      <p role="status" className="flex h-7 items-center gap-1.5 sm:mt-6">
        {text !== "" && problem === undefined && passes === true && (
          <>
            <CircleCheck size={14} aria-hidden className="text-completed" />
            It passes.
          </>
        )}
        {text !== "" && problem === undefined && passes === false && (
          <>
            <CircleX size={14} aria-hidden className="text-failed" />
            It is kept out.
          </>
        )}
      </p>
    </div>
  );
}
