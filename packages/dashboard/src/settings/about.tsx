import { ExternalLink } from "lucide-react";
import { PageSection } from "../parts/page-section.tsx";
import { Facts } from "../parts/side-panel.tsx";
import { Command } from "../parts/states.tsx";
import { apiCommand, mode, serviceUrl, version } from "../place.ts";

const LINKS = [
  ["API description (OpenAPI)", "v1/openapi.json"],
  ["Health", "health"],
  ["Readiness", "ready"],
  ["Metrics", "metrics"],
] as const;

/** What this is, and where programs find it. */
export function About() {
  return (
    <>
      <PageSection title="Service">
        <Facts
          facts={[
            ["Version", <code key="version">{version}</code>],
            ["Runs as", <code key="mode">svc {mode}</code>],
            ["Address", <code key="address">{serviceUrl("").replace(/\/$/, "")}</code>],
          ]}
        />
      </PageSection>
      <PageSection title="For programs" note="Everything in this dashboard can be done through the API.">
        <ul className="mb-3">
          {LINKS.map(([name, path]) => (
            <li key={path}>
              <a
                href={serviceUrl(path)}
                target="_blank"
                rel="noreferrer"
                className="inline-flex h-7 items-center gap-1.5 text-accent underline underline-offset-2"
              >
                {name} <ExternalLink size={12} aria-label="in a new tab" />
              </a>
            </li>
          ))}
        </ul>
        <Command text={apiCommand("v1/events")} />
      </PageSection>
      <PageSection title="Licence" note="Apache License 2.0">
        <p className="text-muted">
          The documentation lies in <code>docs/</code> of the service's repository.
        </p>
      </PageSection>
    </>
  );
}
