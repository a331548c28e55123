import { BeingBuilt } from "../parts/being-built.tsx";
import { serviceUrl } from "../place.ts";

export function WebhookPage() {
  return <BeingBuilt title="Webhook" command={`curl ${serviceUrl("v1/webhooks")}`} />;
}
