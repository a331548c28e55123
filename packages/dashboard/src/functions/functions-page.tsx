import { BeingBuilt } from "../parts/being-built.tsx";

export function FunctionsPage() {
  return <BeingBuilt title="Functions" />;
}
