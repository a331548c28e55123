import { useMayForService, useMe } from "../api/me.ts";
import { NotAllowed } from "../parts/not-allowed.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { usePageSearch } from "../parts/page-search.ts";
import { Tabs } from "../parts/tabs.tsx";
import { About } from "./about.tsx";
import { AuditLog } from "./audit-log.tsx";
import { RunningSettings } from "./running-settings.tsx";

const TABS = ["running", "audit", "about"] as const;

/** What the service runs with, who changed what, and what it is. */
export function SettingsPage() {
  const [search, change] = usePageSearch();
  const me = useMe();
  const mayAdminister = useMayForService("administer");
  const tab = TABS.find((each) => each === search.tab) ?? "running";
  const refused = me !== undefined && !mayAdminister;
  return (
    <>
      <PageHeader title="Settings" />
      <Tabs
        label="Settings"
        value={tab}
        onChange={(next) =>
          change({
            tab: next === "running" ? undefined : next,
            ...{ entry: undefined, actor: undefined, action: undefined, target: undefined },
            ...{ range: undefined, after: undefined, before: undefined },
          })
        }
        tabs={[
          {
            value: "running",
            label: "As running",
            content:
              tab === "running" &&
              (refused ? (
                <NotAllowed permission="administer" what="look at the settings" />
              ) : (
                <RunningSettings />
              )),
          },
          {
            value: "audit",
            label: "Audit log",
            content:
              tab === "audit" &&
              (refused ? <NotAllowed permission="administer" what="look at the audit log" /> : <AuditLog />),
          },
          { value: "about", label: "About", content: tab === "about" && <About /> },
        ]}
      />
    </>
  );
}
