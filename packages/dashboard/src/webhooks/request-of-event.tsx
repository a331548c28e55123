import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { webhookRequestQuery } from "../api/webhook-requests.ts";
import { isMissing } from "../parts/missing-panel.tsx";
import { Facts, PanelSection } from "../parts/side-panel.tsx";
import { ErrorState, Skeleton } from "../parts/states.tsx";
import { Pairs } from "./pairs.tsx";
import { RequestBody } from "./request-body.tsx";

/** The request that became an event, as the producer has sent it. */
export function RequestOfEvent({ webhookId, requestId }: { webhookId: string; requestId: string }) {
  const request = useQuery(webhookRequestQuery(requestId));
  if (request.isPending) {
    return (
      <PanelSection title="Webhook request">
        <Skeleton className="h-24 w-full" />
      </PanelSection>
    );
  }
  if (request.isError) {
    return (
      <PanelSection title="Webhook request">
        {isMissing(request.error) ? (
          <p className="text-muted">The request is no longer kept.</p>
        ) : (
          <ErrorState error={request.error} onRetry={() => void request.refetch()} />
        )}
      </PanelSection>
    );
  }
  const { method, path, address, query, headers } = request.data;
  return (
    <>
      <PanelSection title="Webhook request">
        <Facts
          facts={[
            [
              "Id",
              <Link
                key="id"
                to="/webhooks/$webhookId"
                params={{ webhookId }}
                search={{ tab: "requests", request: requestId } as never}
                className="font-mono text-xs text-accent hover:underline"
              >
                {requestId}
              </Link>,
            ],
            ["Method", `${method} ${path}`],
            [
              "From",
              <code key="from" className="text-xs">
                {address}
              </code>,
            ],
          ]}
        />
      </PanelSection>
      <PanelSection title="Body">
        <RequestBody request={request.data} />
      </PanelSection>
      {query !== "" && (
        <PanelSection title="Query">
          <Pairs pairs={[...new URLSearchParams(query)]} />
        </PanelSection>
      )}
      <PanelSection title="Headers">
        <Pairs pairs={Object.entries(headers)} />
      </PanelSection>
    </>
  );
}
