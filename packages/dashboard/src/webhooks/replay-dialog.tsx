import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import {
  REPLAYABLE,
  type Replayable,
  type RequestStatus,
  refreshInbox,
  replayStep,
} from "../api/webhook-requests.ts";
import type { Webhook } from "../api/webhooks.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { countReplayed, NOTHING_REPLAYED, type ReplayProgress } from "./replay-progress.ts";

interface ReplayDialogProps {
  webhook: Webhook;
  /** Outcomes that the list shows. */
  chosen: readonly RequestStatus[];
  onClose(): void;
}

/** Runs the transform in use again on all requests of some outcomes, and shows how far it is. */
export default function ReplayDialog({ webhook, chosen, onClose }: ReplayDialogProps) {
  const listed = REPLAYABLE.filter((status) => chosen.includes(status));
  const [statuses, setStatuses] = useState<readonly Replayable[]>(listed.length > 0 ? listed : ["failed"]);
  const [progress, setProgress] = useState<ReplayProgress | null>(null);
  const [problem, setProblem] = useState<Error | null>(null);
  const [running, setRunning] = useState(false);
  const abort = useRef<AbortController | null>(null);
  const queries = useQueryClient();
  // Nothing goes on behind a page that is gone.
  useEffect(() => () => abort.current?.abort(), []);

  const start = async () => {
    const controller = new AbortController();
    abort.current = controller;
    setRunning(true);
    setProblem(null);
    let done = progress?.cursor === null ? NOTHING_REPLAYED : (progress ?? NOTHING_REPLAYED);
    try {
      do {
        const step = await replayStep(webhook.id, statuses, done.cursor, controller.signal);
        done = countReplayed(done, step);
        setProgress(done);
      } while (done.cursor !== null && !controller.signal.aborted);
    } catch (error) {
      if (!controller.signal.aborted) setProblem(error as Error);
    }
    setRunning(false);
    void refreshInbox(queries);
    void queries.invalidateQueries({ queryKey: ["webhooks"] });
  };
  const finished = progress !== null && progress.cursor === null && !running && problem === null;
  const stopped = progress !== null && progress.cursor !== null && !running;

  return (
    <Dialog
      title="Replay requests"
      description={`Runs version ${webhook.version} of the transform on requests that are kept, the newest first.`}
      onClose={onClose}
      footer={
        running ? (
          <Button onClick={() => abort.current?.abort()}>Stop</Button>
        ) : (
          <>
            <Button onClick={onClose}>{finished ? "Close" : "Cancel"}</Button>
            {!finished && (
              <Button look="primary" disabled={statuses.length === 0} onClick={() => void start()}>
                {stopped || problem !== null ? "Go on" : "Replay all"}
              </Button>
            )}
          </>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <fieldset disabled={progress !== null} className="flex flex-col gap-1.5">
          <legend className="mb-1 font-medium">Requests with these outcomes</legend>
          {REPLAYABLE.map((status) => (
            <label key={status} className="flex items-center gap-2">
              <input
                type="checkbox"
                className="size-3.5 accent-accent"
                checked={statuses.includes(status)}
                onChange={(event) =>
                  setStatuses(
                    REPLAYABLE.filter((each) =>
                      each === status ? event.target.checked : statuses.includes(each),
                    ),
                  )
                }
              />
              <StatusBadge status={status} />
              <span className="tabular text-muted">
                {(webhook.requests_24h[status] ?? 0).toLocaleString()} in 24 hours
              </span>
            </label>
          ))}
        </fieldset>
        <p className="text-muted">
          What they become are new events, unless the transform gives them an id that is there already.
        </p>
        {progress !== null && <Progress progress={progress} running={running} />}
        {problem !== null && (
          <p role="alert" className="text-failed">
            {problem.message}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function Progress({ progress, running }: { progress: ReplayProgress; running: boolean }) {
  const outcomes = Object.entries(progress.outcomes) as [RequestStatus, number][];
  return (
    <section aria-label="Progress" className="rounded-md border bg-panel px-3 py-2">
      <p role="status" className="tabular font-medium">
        {running
          ? `${progress.done.toLocaleString()} so far …`
          : progress.cursor === null
            ? `Done: ${progress.done.toLocaleString()} replayed.`
            : `Stopped after ${progress.done.toLocaleString()}.`}
      </p>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        {outcomes.map(([status, count]) => (
          <li key={status} className="flex items-center gap-2">
            <StatusBadge status={status} />
            <span className="tabular">{count.toLocaleString()}</span>
          </li>
        ))}
      </ul>
      {progress.skipped > 0 && (
        <p className="mt-1 text-muted">
          {progress.skipped.toLocaleString()} had got another outcome meanwhile.
        </p>
      )}
    </section>
  );
}
