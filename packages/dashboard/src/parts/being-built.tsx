import { PageHeader } from "./page-header.tsx";
import { EmptyState } from "./states.tsx";

/** A page that does not exist yet: says so, and how to do the same through the API. */
export function BeingBuilt({ title, command }: { title: string; command?: string }) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState title="This page is being built" {...(command !== undefined && { command })}>
        {command === undefined ? "It will stand here." : "Until it stands here, the API does the same:"}
      </EmptyState>
    </>
  );
}
