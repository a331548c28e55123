import { BeingBuilt } from "../parts/being-built.tsx";
import { serviceUrl } from "../place.ts";

export function EnvironmentsPage() {
  return <BeingBuilt title="Environments" command={`curl ${serviceUrl("v1/environments")}`} />;
}
