import { BeingBuilt } from "../parts/being-built.tsx";

export function SetupPage() {
  return <BeingBuilt title="Set-up" />;
}
