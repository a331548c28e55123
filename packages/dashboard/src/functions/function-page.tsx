import { BeingBuilt } from "../parts/being-built.tsx";
import { serviceUrl } from "../place.ts";

export function FunctionPage() {
  return <BeingBuilt title="Function" command={`curl ${serviceUrl("v1/functions")}`} />;
}
