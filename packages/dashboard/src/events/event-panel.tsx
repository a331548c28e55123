import { BeingBuilt } from "../parts/being-built.tsx";

export function EventPanel() {
  return <BeingBuilt title="Event" />;
}
