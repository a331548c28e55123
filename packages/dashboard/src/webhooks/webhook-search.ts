/** What the address says of a webhook's page. */
import { useNavigate, useSearch } from "@tanstack/react-router";

export const TABS = ["transform", "requests", "filters", "settings"] as const;
export type Tab = (typeof TABS)[number];

export interface WebhookSearch {
  tab?: string | undefined;
  /** Requests: outcomes separated by commas. */
  status?: string | undefined;
  /** Requests: id of the one that is open. */
  request?: string | undefined;
  /** Transform: id of the request that the tester begins with. */
  input?: string | undefined;
  /** Transform: starter and place of a sample, `github.0`. */
  sample?: string | undefined;
  /** Transform: number of the version that is open in the history, or `all`. */
  version?: string | undefined;
}

/** The search of the page, and what changes some of it. */
export function useWebhookSearch() {
  const search: WebhookSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (next: WebhookSearch, replace = true) =>
    navigate({ to: ".", search: ((before: WebhookSearch) => ({ ...before, ...next })) as never, replace });
  return [search, change] as const;
}

/** The tab an address means; the first when it names none. */
export function tabOf({ tab, request }: WebhookSearch): Tab {
  return TABS.find((each) => each === tab) ?? (request === undefined ? "transform" : "requests");
}
