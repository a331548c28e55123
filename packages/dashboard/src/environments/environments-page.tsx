import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { environmentListQuery } from "../api/environments.ts";
import { useMayForService, useMe } from "../api/me.ts";
import { Button } from "../parts/button.tsx";
import { ListDetail } from "../parts/list-detail.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { usePageSearch } from "../parts/page-search.ts";
import { EmptyState } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { mode } from "../place.ts";
import { CreateEnvironmentDialog } from "./create-environment-dialog.tsx";
import { ENVIRONMENT_COLUMNS } from "./environment-columns.tsx";
import { EnvironmentPanel } from "./environment-panel.tsx";

/** Production, branches, and what else there is. */
export function EnvironmentsPage() {
  const [search, change] = usePageSearch();
  const me = useMe();
  const mayManage = useMayForService("manage");
  if (mode === "dev") {
    return (
      <>
        <PageHeader title="Environments" />
        <EmptyState title="svc dev has one environment" command="npx svc start">
          It is called dev, and all events, runs and apps are in it. <code>svc start</code> has production,
          one for each branch of your code, and as many others as you create:
        </EmptyState>
      </>
    );
  }
  if (me?.environment != null) {
    return (
      <>
        <PageHeader title="Environments" />
        <EmptyState title="Environments are about the whole service">
          You look at this with a token of one environment, {me.environment}.
        </EmptyState>
      </>
    );
  }
  const tab = search.tab === "archive" ? "archive" : "used";
  return (
    <>
      <PageHeader title="Environments">
        {mayManage && (
          <Button
            look="primary"
            icon={<Plus size={14} aria-hidden />}
            onClick={() => change({ create: "1" }, "push")}
          >
            Create an environment
          </Button>
        )}
      </PageHeader>
      <Tabs
        label="Environments"
        value={tab}
        onChange={(next) => change({ tab: next === "archive" ? next : undefined, environment: undefined })}
        tabs={[
          { value: "used", label: "In use", content: tab === "used" && <EnvironmentList archived={false} /> },
          { value: "archive", label: "Archive", content: tab === "archive" && <EnvironmentList archived /> },
        ]}
      />
      {search.create !== undefined && mayManage && (
        <CreateEnvironmentDialog
          onClose={() => change({ create: undefined })}
          onCreated={(id) => change({ create: undefined, tab: undefined, environment: id })}
        />
      )}
    </>
  );
}

function EnvironmentList({ archived }: { archived: boolean }) {
  const list = useInfiniteQuery(environmentListQuery(archived));
  return (
    <ListDetail
      label="Environments"
      words={["environment", "environments"]}
      list={list}
      rows={list.data?.pages.flatMap(({ data }) => data) ?? []}
      columns={ENVIRONMENT_COLUMNS}
      rowKey={({ id }) => id}
      param="environment"
      panel={(open, onClose) => <EnvironmentPanel key={open.id} environment={open} onClose={onClose} />}
      empty={
        <EmptyState title="The archive is empty">
          A branch that nobody has sent to or synced into for a while comes here by itself. What it holds can
          still be looked at, and the next sync under its name brings it back.
        </EmptyState>
      }
    />
  );
}
