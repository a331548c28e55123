import { BeingBuilt } from "../parts/being-built.tsx";
import { serviceUrl } from "../place.ts";

export function WebhooksPage() {
  return <BeingBuilt title="Webhooks" command={`curl ${serviceUrl("v1/webhooks")}`} />;
}
