import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronRight, CircleAlert, CircleCheck, CircleX, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { ApiError } from "../api/request.ts";
import { type TriedRequest, tryQuery, updateWebhook, type Webhook } from "../api/webhooks.ts";
import { Button } from "../parts/button.tsx";
import { classNames } from "../parts/class-names.ts";
import { Dialog } from "../parts/dialog.tsx";
import { shortId } from "../parts/id.tsx";
import { ErrorState, Skeleton } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { toast } from "../parts/toast.tsx";
import { DiffView } from "./diff-view.tsx";
import type { Draft } from "./transform-draft.ts";
import { TransformErrorBox } from "./transform-error.tsx";
import { EFFECTS, type Effect, effectOn, effectSentence, eventText } from "./tried.ts";
import { useWebhookSearch } from "./webhook-search.ts";

interface SaveDialogProps {
  webhook: Webhook;
  draft: Draft;
  onClose(): void;
  onSaved(): void;
  onTakeTheirs(): void;
}

/** Shows what a new transform would make of the last requests, and saves it when that is what was meant. */
export default function SaveDialog({ webhook, draft, onClose, onSaved, onTakeTheirs }: SaveDialogProps) {
  const tried = useQuery(tryQuery(webhook.id, draft.text));
  const [problem, setProblem] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const [, change] = useWebhookSearch();
  const queries = useQueryClient();
  const overtaken = draft.base !== webhook.version;
  const syntax = tried.data?.find(({ error }) => error?.kind === "syntax")?.error ?? null;

  const save = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const saved = await updateWebhook(webhook.id, { transform: draft.text, if_version: webhook.version });
      queries.setQueryData(["webhooks", "one", webhook.id], saved);
      void queries.invalidateQueries({ queryKey: ["webhooks", "versions", webhook.id] });
      const failed = saved.requests_24h.failed ?? 0;
      toast(
        "done",
        `Version ${saved.version} is in use.`,
        failed === 0
          ? undefined
          : {
              label: "Look at requests that failed",
              run: () => change({ tab: "requests", status: "failed" }, false),
            },
      );
      onSaved();
    } catch (error) {
      setBusy(false);
      setProblem(error as Error);
      // Whoever was faster is shown with what they saved.
      if (error instanceof ApiError && error.status === 409) {
        void queries.invalidateQueries({ queryKey: ["webhooks", "one", webhook.id] });
      }
    }
  };

  return (
    <Dialog
      title={`Save as version ${webhook.version + 1}`}
      description="The new transform was run on the last requests. Nothing is stored or sent by that."
      size="large"
      onClose={onClose}
      footer={
        <>
          {overtaken && (
            <Button look="danger" onClick={onTakeTheirs}>
              Discard mine
            </Button>
          )}
          <Button onClick={onClose}>Go on editing</Button>
          <Button
            look="primary"
            disabled={busy || tried.isPending || syntax !== null}
            onClick={() => void save()}
          >
            {overtaken ? `Save over version ${webhook.version}` : "Save"}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problem !== null && (
          <p role="alert" className="text-failed">
            {problem.message}
          </p>
        )}
        {overtaken && (
          <section className="flex flex-col gap-2">
            <h3 className="font-medium">Version {webhook.version} was saved while you were editing</h3>
            <p className="text-muted">
              Yours is made of version {draft.base}. Saved over it, this is what becomes of version{" "}
              {webhook.version}; it stays in the history.
            </p>
            <DiffView
              label={`From version ${webhook.version} to yours`}
              before={webhook.transform}
              after={draft.text}
              same="Both are the same."
              maxHeight="30vh"
            />
          </section>
        )}
        {syntax !== null ? (
          <TransformErrorBox error={syntax} />
        ) : tried.isError ? (
          <ErrorState error={tried.error} onRetry={() => void tried.refetch()} />
        ) : tried.data === undefined ? (
          <div role="status" aria-label="Running it on the last requests" className="flex flex-col gap-2">
            <Skeleton className="w-64" />
            <Skeleton className="h-16 w-full" />
          </div>
        ) : (
          <Effects tried={tried.data} />
        )}
        {!overtaken && (
          <details>
            <summary className="cursor-pointer font-medium">Changes in the code</summary>
            <div className="mt-2">
              <DiffView
                label={`From version ${webhook.version} to the new one`}
                before={webhook.transform}
                after={draft.text}
                same="No line has changed."
                maxHeight="30vh"
              />
            </div>
          </details>
        )}
      </div>
    </Dialog>
  );
}

function Effects({ tried }: { tried: TriedRequest[] }) {
  const changed = EFFECTS.filter((effect) => effect !== "same").flatMap((effect) =>
    tried.filter((each) => effectOn(each) === effect),
  );
  return (
    <section className="flex flex-col gap-2">
      <p role="status" className="font-medium">
        {effectSentence(tried)}
      </p>
      {changed.length > 0 && (
        <ul className="overflow-hidden rounded-md border">
          {changed.map((each) => (
            <li key={each.request_id} className="border-b last:border-b-0">
              <TriedRow tried={each} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const LABELS: Record<Effect, { word: string; look: string; icon: LucideIcon }> = {
  breaks: { word: "Fails now", look: "text-failed", icon: CircleX },
  different: { word: "Other events", look: "text-cancelled", icon: CircleAlert },
  mends: { word: "Fails no more", look: "text-completed", icon: CircleCheck },
  fails: { word: "Fails as before", look: "text-failed", icon: CircleX },
  same: { word: "As before", look: "text-muted", icon: CircleCheck },
};

function TriedRow({ tried }: { tried: TriedRequest }) {
  const effect = effectOn(tried);
  const { word, look, icon: Icon } = LABELS[effect];
  const { events_before: before, events, error } = tried;
  return (
    <details className="group">
      <summary className="flex min-h-9 cursor-pointer list-none flex-wrap items-center gap-x-3 px-3 py-1 hover:bg-hover">
        <ChevronRight size={13} aria-hidden className="shrink-0 text-muted group-open:rotate-90" />
        <span className={classNames("flex w-34 items-center gap-1.5 font-medium", look)}>
          <Icon size={14} aria-hidden className="shrink-0" />
          {word}
        </span>
        <span className="min-w-0 flex-1 truncate text-muted max-sm:order-last max-sm:basis-full max-sm:pl-[45px]">
          {before === null ? "failed" : namesOf(before)} <span aria-hidden>→</span>
          <span className="sr-only">becomes</span> {error !== null ? error.message : namesOf(events)}
        </span>
        <code className="text-xs text-muted max-sm:hidden">{shortId(tried.request_id)}</code>
        <span className="w-16 text-right text-muted max-sm:ml-auto">
          <Time at={tried.received_at} />
        </span>
      </summary>
      <div className="flex flex-col gap-2 border-t p-3">
        {error !== null && <TransformErrorBox error={error} />}
        {effect !== "fails" && (
          <DiffView
            label="Events before and after"
            before={before === null ? "" : eventText(before)}
            after={eventText(events)}
            same="The events are the same."
            maxHeight="30vh"
          />
        )}
      </div>
    </details>
  );
}

function namesOf(events: { name: string }[]): string {
  if (events.length === 0) return "no event";
  const [first, ...rest] = events;
  return rest.length === 0 ? first!.name : `${first!.name} and ${rest.length} more`;
}
