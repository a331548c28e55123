import { BeingBuilt } from "../parts/being-built.tsx";

export function AppsPage() {
  return <BeingBuilt title="Apps" />;
}
