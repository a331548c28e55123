import { BeingBuilt } from "../parts/being-built.tsx";
import { serviceUrl } from "../place.ts";

export function KeysPage() {
  return <BeingBuilt title="Keys" command={`curl ${serviceUrl("v1/keys")}`} />;
}
