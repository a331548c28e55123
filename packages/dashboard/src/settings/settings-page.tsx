import { BeingBuilt } from "../parts/being-built.tsx";
import { serviceUrl } from "../place.ts";

export function SettingsPage() {
  return <BeingBuilt title="Settings" command={`curl ${serviceUrl("v1/openapi.json")}`} />;
}
