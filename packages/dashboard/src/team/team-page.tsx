import { BeingBuilt } from "../parts/being-built.tsx";
import { serviceUrl } from "../place.ts";

export function TeamPage() {
  return <BeingBuilt title="Team" command={`curl ${serviceUrl("v1/users")}`} />;
}
