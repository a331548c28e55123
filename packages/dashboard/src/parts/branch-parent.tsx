import { environment } from "../place.ts";
import { EmptyState } from "./states.tsx";

/** Whether the parent of all branches is shown: it holds their keys and webhooks, and nothing that runs. */
export function isBranchParent(): boolean {
  return environment() === "branches";
}

/** In the place of a list that the parent of all branches never has. @param what as a heading begins: `Apps` */
export function OfOneBranch({ what }: { what: string }) {
  return (
    <EmptyState title={`${what} belong to one branch`}>
      This is the parent of all branches. Switch to a branch, at the top left, to see its {what.toLowerCase()}
      .
    </EmptyState>
  );
}
