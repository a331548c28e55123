/** What the tester runs a transform on: a sample, a request that came, either of them changed by hand. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { freshRequestsQuery, type WebhookRequest, webhookRequestQuery } from "../api/webhook-requests.ts";
import { type Starter, startersQuery, type TestInput, type Webhook } from "../api/webhooks.ts";
import { formatJson } from "./format-json.ts";
import { headerText, readHeaders } from "./header-lines.ts";
import type { WebhookSearch } from "./webhook-search.ts";

/** Requests offered as input. */
const OFFERED = 20;

/** The fields of the tester as they are typed. */
export interface TesterFields {
  body: string;
  /** `Name: value`, one on each line. */
  headers: string;
  query: string;
}

export interface TesterInput {
  /** What the input is, for the address: one of the two, or neither while nothing is known. */
  chosen: { sample?: string; input?: string };
  /** Null while it loads. */
  fields: TesterFields | null;
  /** What is sent to the service. */
  sent: TestInput | null;
  changed: boolean;
  /** Whether the body is no text, and cannot be edited. */
  binary: boolean;
  error: Error | null;
  edit(change: Partial<TesterFields>): void;
  reset(): void;
  starters: Starter[];
  requests: WebhookRequest[];
}

/** The input that the address names; else the newest request, else a sample. */
export function useTesterInput(webhook: Webhook, { sample, input }: WebhookSearch): TesterInput {
  const starters = useQuery(startersQuery());
  const requests = useQuery(freshRequestsQuery(webhook.id, "", OFFERED));
  // Without an address the input is the request that was the newest at first, though others come in.
  const [first, setFirst] = useState<string>();
  const newest = first ?? requests.data?.[0]?.id;
  if (first !== newest) setFirst(newest);
  const named = input ?? (sample === undefined ? newest : undefined);
  const ownStarter = starters.data?.find(({ transform }) => transform === webhook.transform);
  const sampleName = sample ?? `${ownStarter?.id ?? "generic"}.0`;
  const request = useQuery({ ...webhookRequestQuery(named ?? ""), enabled: named !== undefined });
  const [edits, setEdits] = useState<TesterFields | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another input begins as it is
  useEffect(() => setEdits(null), [input, sample]);

  let base: TestInput | null = null;
  if (named !== undefined) {
    if (request.data !== undefined) {
      const { body, headers, query, body_encoding } = request.data;
      base = { body, body_encoding, headers, query };
    }
  } else if (requests.data !== undefined || sample !== undefined) {
    base = sampleOf(starters.data, sampleName);
  }
  const binary = base?.body_encoding === "base64";
  const plain: TesterFields | null =
    base === null
      ? null
      : { body: formatJson(base.body) ?? base.body, headers: headerText(base.headers), query: base.query };
  const fields = edits ?? plain;
  const sent =
    fields === null || base === null
      ? null
      : {
          // Exactly as it came until somebody changes it: signatures are made of it.
          body: fields.body === plain!.body ? base.body : fields.body,
          body_encoding: base.body_encoding,
          headers: readHeaders(fields.headers).headers,
          query: fields.query,
        };
  return {
    chosen: named === undefined ? { sample: sampleName } : { input: named },
    fields,
    sent,
    changed: edits !== null,
    binary,
    error: (named === undefined ? starters.error : request.error) ?? null,
    edit: (change) => fields !== null && setEdits({ ...fields, ...change }),
    reset: () => setEdits(null),
    starters: starters.data ?? [],
    requests: requests.data ?? [],
  };
}

/** @param name starter and place: `github.0` */
function sampleOf(starters: Starter[] | undefined, name: string): TestInput | null {
  const [id, place] = name.split(".");
  const sample = starters?.find((starter) => starter.id === id)?.samples[Number(place)];
  if (sample === undefined)
    return starters === undefined ? null : { body: "{}", body_encoding: "utf8", headers: {}, query: "" };
  const { body, headers, query } = sample;
  return { body, body_encoding: "utf8", headers: { ...headers }, query };
}
