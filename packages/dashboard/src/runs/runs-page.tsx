import { BeingBuilt } from "../parts/being-built.tsx";

export function RunsPage() {
  return <BeingBuilt title="Runs" />;
}
