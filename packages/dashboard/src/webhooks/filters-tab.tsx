import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError } from "../api/request.ts";
import { type RateLimit, updateWebhook, type Webhook } from "../api/webhooks.ts";
import { Button } from "../parts/button.tsx";
import { Input, Select, TextArea } from "../parts/field.tsx";
import { LookOnly } from "../parts/not-allowed.tsx";
import { PageSection } from "../parts/page-section.tsx";
import { toast } from "../parts/toast.tsx";
import { FilterCheck } from "./filter-check.tsx";
import { type ListTexts, listsOf, refusedEntry, textsOf } from "./filter-lists.ts";

interface FiltersTabProps {
  webhook: Webhook;
  /** Null while nothing is changed. */
  edited: FilterForm | null;
  onEdit(form: FilterForm | null): void;
  mayManage: boolean;
}

/** The filters as they are typed. */
export interface FilterForm {
  events: ListTexts;
  ips: ListTexts;
  requests: string;
  per: RateLimit["per"];
}

const formOf = ({ event_filter, ip_filter, rate_limit }: Webhook): FilterForm => ({
  events: textsOf(event_filter),
  ips: textsOf(ip_filter),
  requests: rate_limit === null ? "" : String(rate_limit.requests),
  per: rate_limit?.per ?? "second",
});

/** What a webhook lets in: names of events, addresses of senders, how many requests. */
export function FiltersTab({ webhook, edited, onEdit, mayManage }: FiltersTabProps) {
  const [problem, setProblem] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const form = edited ?? formOf(webhook);
  const edit = (change: Partial<FilterForm>) => {
    const next = { ...form, ...change };
    onEdit(JSON.stringify(next) === JSON.stringify(formOf(webhook)) ? null : next);
    setProblem(null);
  };
  const filters = { event_filter: listsOf(form.events), ip_filter: listsOf(form.ips) };
  const field = problem instanceof ApiError ? problem.field : undefined;

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const rate_limit =
        form.requests.trim() === "" ? null : { requests: Number(form.requests), per: form.per };
      const saved = await updateWebhook(webhook.id, { ...filters, rate_limit });
      queries.setQueryData(["webhooks", "one", webhook.id], saved);
      onEdit(null);
      setProblem(null);
      toast("done", "The filters are in use from the next request on.");
    } catch (error) {
      setProblem(error as Error);
    }
    setBusy(false);
  };
  const listError = (filter: "event_filter" | "ip_filter", list: "allow" | "deny") => {
    const refused = refusedEntry(field, filter, filters[filter]);
    return refused?.list === list ? `“${refused.entry}” cannot be used. ${problem!.message}` : undefined;
  };
  const shown = (["event_filter", "ip_filter"] as const).some((filter) =>
    refusedEntry(field, filter, filters[filter]),
  );
  const rateProblem = field?.startsWith("rate_limit") ? problem!.message : undefined;

  return (
    <form onSubmit={save} className="flex min-h-full flex-col">
      <PageSection
        title="Event names"
        note="Looked at after the transform. A request with an event that is not let in becomes none, and is kept as filtered."
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <TextArea
            label="Allow"
            rows={4}
            disabled={!mayManage}
            value={form.events.allow}
            placeholder="shop/*"
            onChange={(event) => edit({ events: { ...form.events, allow: event.target.value } })}
            hint="One on each line: shop/order.placed, shop/*, or *. Empty lets all in."
            error={listError("event_filter", "allow")}
          />
          <TextArea
            label="Deny"
            rows={4}
            disabled={!mayManage}
            value={form.events.deny}
            placeholder="shop/order.debug"
            onChange={(event) => edit({ events: { ...form.events, deny: event.target.value } })}
            hint="Wins over what is allowed."
            error={listError("event_filter", "deny")}
          />
        </div>
        <FilterCheck kind="event" filters={filters} />
      </PageSection>
      <PageSection
        title="Addresses of senders"
        note="Looked at before anything else: others are answered with 403, and nothing of their requests is kept. Behind a proxy, start the service with --trust-proxy."
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <TextArea
            label="Allow"
            rows={4}
            disabled={!mayManage}
            value={form.ips.allow}
            placeholder="203.0.113.0/24"
            onChange={(event) => edit({ ips: { ...form.ips, allow: event.target.value } })}
            hint="Addresses and ranges, IPv4 or IPv6, one on each line. Empty lets all in."
            error={listError("ip_filter", "allow")}
          />
          <TextArea
            label="Deny"
            rows={4}
            disabled={!mayManage}
            value={form.ips.deny}
            placeholder="203.0.113.7"
            onChange={(event) => edit({ ips: { ...form.ips, deny: event.target.value } })}
            hint="Wins over what is allowed."
            error={listError("ip_filter", "deny")}
          />
        </div>
        <FilterCheck kind="ip" filters={filters} />
      </PageSection>
      <PageSection
        title="Rate limit"
        note="As many requests may come at once; then they come at the even rate. What is over it is answered with 429, and producers send it again."
      >
        <div className="flex flex-wrap items-start gap-3">
          <Input
            label="Requests"
            type="number"
            min={1}
            max={1_000_000}
            disabled={!mayManage}
            value={form.requests}
            placeholder="No limit"
            onChange={(event) => edit({ requests: event.target.value })}
            error={rateProblem}
            className="w-36"
          />
          <Select
            label="In a"
            disabled={!mayManage}
            value={form.per}
            onChange={(event) => edit({ per: event.target.value as RateLimit["per"] })}
            className="w-28"
          >
            <option value="second">second</option>
            <option value="minute">minute</option>
            <option value="hour">hour</option>
          </Select>
        </div>
      </PageSection>
      <div className="sticky bottom-0 mt-auto flex min-h-12 flex-wrap items-center gap-2 border-t bg-page px-4 py-2">
        {problem !== null && !shown && rateProblem === undefined && (
          <p role="alert" className="text-failed">
            {problem.message}
          </p>
        )}
        <span className="flex-1 text-muted">
          {!mayManage ? <LookOnly permission="manage" /> : edited !== null ? "Not saved yet." : ""}
        </span>
        {edited !== null && (
          <Button
            look="quiet"
            onClick={() => {
              onEdit(null);
              setProblem(null);
            }}
          >
            Discard
          </Button>
        )}
        <Button type="submit" look="primary" disabled={!mayManage || edited === null || busy}>
          Save
        </Button>
      </div>
    </form>
  );
}
