import { BeingBuilt } from "../parts/being-built.tsx";

export function EventsPage() {
  return <BeingBuilt title="Events" />;
}
