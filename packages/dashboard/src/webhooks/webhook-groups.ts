/** Webhooks of all environments in one list: production's, those all branches share, and those of named environments. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { environmentsQuery } from "../api/environments.ts";
import { meQuery } from "../api/me.ts";
import { type Webhook, webhooksQuery } from "../api/webhooks.ts";
import { mode } from "../place.ts";

/** The environment that holds what all branches share. */
export const BRANCHES = "branches";
/** How often the counts are read anew, ms. */
const REFRESH_MS = 10_000;

/** @example groupTitle("branches") // "Shared by all branches" */
export function groupTitle(environment: string): string {
  if (environment === BRANCHES) return "Shared by all branches";
  return environment === "production" ? "Production" : environment;
}

/** Environments that can hold webhooks, in the order in which they are shown; undefined while they are not known. */
export function useHolders() {
  const me = useQuery(meQuery());
  const environments = useQuery({ ...environmentsQuery(), enabled: mode === "start" });
  let holders: string[] | undefined;
  if (mode === "dev") holders = [""];
  else if (me.data !== undefined && environments.data !== undefined) {
    const named = environments.data.filter((each) => each.type === "named" && each.archived_at === null);
    // A token of one environment sees that one, and may not ask for the others.
    holders =
      me.data.environment === null
        ? ["production", BRANCHES, ...named.map(({ name }) => name)]
        : [me.data.environment];
  }
  return { holders, asked: mode === "dev" ? [] : [me, environments] };
}

/** All webhooks that the reader may see, group after group. */
export function useWebhookGroups() {
  const { holders, asked } = useHolders();
  const lists = useQueries({
    queries: (holders ?? []).map((env) => ({ ...webhooksQuery(env), refetchInterval: REFRESH_MS })),
  });
  const queries = [...asked, ...lists];
  const rows: Webhook[] = lists.flatMap(({ data }) => data ?? []);
  return {
    rows,
    loading: holders === undefined || lists.some(({ isPending }) => isPending),
    error: queries.find(({ isError, data }) => isError && data === undefined)?.error ?? null,
    retry: () => {
      for (const query of queries) if (query.isError) void query.refetch();
    },
  };
}
