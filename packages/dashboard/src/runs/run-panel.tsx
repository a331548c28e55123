import { BeingBuilt } from "../parts/being-built.tsx";

export function RunPanel() {
  return <BeingBuilt title="Run" />;
}
