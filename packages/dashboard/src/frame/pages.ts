/** The pages of the rail, in its order. */
import {
  AppWindow,
  GitBranch,
  KeyRound,
  type LucideIcon,
  Play,
  Radio,
  Settings,
  SquareFunction,
  Users,
  Webhook,
} from "lucide-react";

export interface PageLink {
  to: string;
  label: string;
  icon: LucideIcon;
  keys: string;
  /** `watch` stands on top, `manage` under its heading. */
  group: "watch" | "manage";
  /** Kinds of service in which the page makes sense. */
  modes: ("dev" | "start")[];
}

const BOTH: PageLink["modes"] = ["dev", "start"];

export const PAGES: PageLink[] = [
  { to: "/events", label: "Events", icon: Radio, keys: "g e", group: "watch", modes: BOTH },
  { to: "/runs", label: "Runs", icon: Play, keys: "g r", group: "watch", modes: BOTH },
  { to: "/functions", label: "Functions", icon: SquareFunction, keys: "g f", group: "watch", modes: BOTH },
  { to: "/apps", label: "Apps", icon: AppWindow, keys: "g a", group: "watch", modes: BOTH },
  { to: "/webhooks", label: "Webhooks", icon: Webhook, keys: "g w", group: "manage", modes: BOTH },
  { to: "/keys", label: "Keys", icon: KeyRound, keys: "g k", group: "manage", modes: ["start"] },
  {
    to: "/environments",
    label: "Environments",
    icon: GitBranch,
    keys: "g v",
    group: "manage",
    modes: ["start"],
  },
  { to: "/team", label: "Team", icon: Users, keys: "g t", group: "manage", modes: ["start"] },
  { to: "/settings", label: "Settings", icon: Settings, keys: "g s", group: "manage", modes: BOTH },
];
