import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { Check, ChevronsUpDown } from "lucide-react";
import { environmentsQuery } from "../api/environments.ts";
import { classNames } from "../parts/class-names.ts";
import { Menu, MenuItem } from "../parts/menu.tsx";
import { mode } from "../place.ts";
import { useSwitchEnvironment } from "./switch-environment.ts";

/** Which environment the pages show. `svc dev` has one: it says its port instead. */
export function EnvironmentSwitcher({ folded }: { folded: boolean }) {
  const { env } = useSearch({ strict: false });
  const switchTo = useSwitchEnvironment();
  const environments = useQuery({ ...environmentsQuery(), enabled: mode === "start" });
  if (mode === "dev") return <DevBadge folded={folded} />;
  const current = env ?? "production";
  const names = environments.data?.filter((each) => each.archived_at === null).map(({ name }) => name) ?? [];

  return (
    <Menu
      label={`Switch environment: ${current}`}
      trigger={
        <button
          type="button"
          className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-left hover:bg-hover"
        >
          <EnvironmentDot name={current} />
          {!folded && (
            <>
              <span className="min-w-0 flex-1 truncate font-medium">{current}</span>
              <ChevronsUpDown size={13} aria-hidden className="shrink-0 text-muted" />
            </>
          )}
        </button>
      }
    >
      {(names.includes(current) ? names : [current, ...names]).map((name) => (
        <MenuItem
          key={name}
          icon={name === current ? <Check size={14} /> : <span className="w-3.5" />}
          onSelect={() => switchTo(name)}
        >
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}

function DevBadge({ folded }: { folded: boolean }) {
  const { host, port } = window.location;
  return (
    <div className="flex h-8 min-w-0 items-center gap-2 px-1" title={`svc dev on port ${port}`}>
      <span className="rounded bg-accent px-1.5 py-0.5 text-xs font-semibold text-on-accent">Dev</span>
      {!folded && <span className="truncate font-mono text-xs text-muted">{host}</span>}
    </div>
  );
}

function EnvironmentDot({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className={classNames(
        "size-2 shrink-0 rounded-full",
        name === "production" ? "bg-completed" : "bg-accent",
      )}
    />
  );
}
