/** What an event key lets in, as a form: lists with an entry a line, and a rate. */

import type { KeyLimits } from "../api/keys.ts";
import { Input, Select, TextArea } from "../parts/field.tsx";
import { problemOf } from "../parts/form-problem.tsx";

const FILTERS = [
  {
    field: "event_filter",
    title: "Events",
    placeholder: "shop/order.placed\nshop/*",
    hint: "Names or prefixes such as shop/*, one a line.",
  },
  {
    field: "ip_filter",
    title: "Addresses",
    placeholder: "203.0.113.7\n2001:db8::/32",
    hint: (
      <>
        IP addresses or ranges, one a line. Behind a proxy the service needs{" "}
        <code className="whitespace-nowrap">--trust-proxy</code>.
      </>
    ),
  },
] as const;

/** Fields of a form; `readLimits` reads them. */
export function KeyLimitFields({ limits, error }: { limits: Partial<KeyLimits>; error: unknown }) {
  const rate = limits.rate_limit;
  return (
    <div className="flex flex-col gap-4">
      {FILTERS.map(({ field, title, placeholder, hint }) => (
        <fieldset key={field}>
          <legend className="mb-1 font-medium">{title}</legend>
          <div className="grid gap-3 sm:grid-cols-2">
            {(["allow", "deny"] as const).map((list) => (
              <TextArea
                key={list}
                label={list === "allow" ? "Only these" : "Never these"}
                name={`${field}.${list}`}
                rows={3}
                placeholder={list === "allow" ? `${placeholder}` : ""}
                defaultValue={limits[field]?.[list].join("\n") ?? ""}
                error={problemOf(error, `${field}.${list}`)}
              />
            ))}
          </div>
          <p className="mt-1 text-xs text-muted">{hint}</p>
        </fieldset>
      ))}
      <fieldset>
        <legend className="mb-1 font-medium">Rate</legend>
        <div className="flex items-start gap-2">
          <Input
            label="Requests"
            hiddenLabel
            name="rate.requests"
            type="number"
            min={1}
            max={1_000_000}
            placeholder="any number"
            defaultValue={rate?.requests ?? ""}
            error={problemOf(error, "rate_limit")}
            className="w-32"
          />
          <span className="leading-7 text-muted">requests per</span>
          <Select
            label="Per"
            hiddenLabel
            name="rate.per"
            defaultValue={rate?.per ?? "minute"}
            className="w-28"
          >
            <option value="second">second</option>
            <option value="minute">minute</option>
            <option value="hour">hour</option>
          </Select>
        </div>
      </fieldset>
    </div>
  );
}
