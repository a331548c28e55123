import type { Role } from "../api/me.ts";

/** What a role may do, in a sentence. */
export const ROLE_MEANINGS: Record<Role, string> = {
  owner: "Everything, and makes, changes and removes owners.",
  admin: "Everything but what is about owners: keys, environments and people, too.",
  member: "Looks at everything, sends events, and changes webhooks, functions, apps and branches.",
  viewer: "Looks at events, runs, functions, apps and webhooks.",
};
