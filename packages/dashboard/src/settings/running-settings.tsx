import { useQuery } from "@tanstack/react-query";
import { type Setting, settingsQuery } from "../api/settings.ts";
import { Tag } from "../keys/key-columns.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { ErrorState, SkeletonRows } from "../parts/states.tsx";

/** The order people look for them in: what is kept, and how much is taken, first. */
const ORDER = ["Storage", "Limits", "Runs", "Apps", "Listening", "Observing", "Keys"];

/** The settings the service runs with, by group. */
export function RunningSettings() {
  const settings = useQuery(settingsQuery());
  if (settings.isPending) return <SkeletonRows rows={8} />;
  if (settings.isError) return <ErrorState error={settings.error} onRetry={() => settings.refetch()} />;
  const groups = Map.groupBy(settings.data.settings, ({ group }) => group);
  const names = [...groups.keys()].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  return (
    <div className="pb-8">
      <p className="border-b px-4 py-2 text-muted">
        To be looked at: each is changed by its flag or variable, with the next start of the service.
      </p>
      {names.map((name) => (
        <section key={name} aria-label={name}>
          <h2 className="border-b bg-panel px-4 py-1.5 text-xs font-medium text-muted">{name}</h2>
          <ul>
            {groups.get(name)!.map((setting) => (
              <SettingRow key={setting.name} setting={setting} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function shownValue({ name, flag, value, changed, default: standard }: Setting): string {
  if (name === "dataDir" && value === null) return "in memory: nothing is kept";
  // What these mean says what does not happen: "off" beside it would be read the other way round.
  if (flag.startsWith("--no-")) return value === "off" ? "yes" : "no";
  return value ?? (changed ? "none" : standard);
}

function SettingRow({ setting }: { setting: Setting }) {
  const { flag, variable, changed, meaning } = setting;
  return (
    <li className="grid gap-x-4 gap-y-1 border-b px-4 py-2 hover:bg-hover sm:grid-cols-[minmax(0,1fr)_minmax(8rem,16rem)] lg:grid-cols-[minmax(0,26rem)_minmax(8rem,18rem)_minmax(0,1fr)]">
      <span className="min-w-0">{meaning}</span>
      <span className="flex min-w-0 items-baseline gap-2 font-medium break-words">
        <span className="tabular min-w-0">{shownValue(setting)}</span>
        {changed && (
          <Tag>
            <span title={`Without it: ${setting.default}`}>changed</span>
          </Tag>
        )}
      </span>
      <span className="flex min-w-0 flex-wrap items-center gap-x-3 text-muted sm:col-span-2 lg:col-span-1">
        <code className="text-xs">{flag}</code>
        <span className="inline-flex items-center">
          <code className="text-xs">{variable}</code>
          <CopyButton text={variable} label={`Copy ${variable}`} className="!size-5" />
        </span>
      </span>
    </li>
  );
}
