import { useQuery } from "@tanstack/react-query";
import { functionsQuery } from "../api/functions.ts";
import type { Fn } from "../api/types.ts";
import { PageHeader } from "../parts/page-header.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";

const COLUMNS: Column<Fn>[] = [
  { id: "name", header: "Name", width: "minmax(140px, 1fr)", link: true, cell: ({ name }) => name },
  { id: "triggers", header: "Triggers", width: "minmax(120px, 1fr)", from: 480, cell: triggersText },
  { id: "app", header: "App", width: "140px", from: 640, cell: ({ app }) => app },
];

function triggersText({ triggers }: Fn): string {
  return triggers.map((trigger) => ("event" in trigger ? trigger.event : trigger.cron)).join(", ");
}

/** What events can start. */
export function FunctionsPage() {
  const functions = useQuery(functionsQuery());
  return (
    <>
      <PageHeader title="Functions" />
      {functions.isPending ? (
        <SkeletonRows />
      ) : functions.isError ? (
        <ErrorState error={functions.error} onRetry={() => functions.refetch()} />
      ) : functions.data.length === 0 ? (
        <EmptyState title="No function is registered" command="svc dev -u http://localhost:3000/api/svc">
          Functions come with the app that serves them. Start one and tell the service where it is.
        </EmptyState>
      ) : (
        <Table
          label="Functions"
          rows={functions.data}
          columns={COLUMNS}
          rowKey={(fn) => fn.id}
          rowLink={(fn) => ({ to: "/functions/$functionId", params: { functionId: fn.id } as never })}
        />
      )}
    </>
  );
}
