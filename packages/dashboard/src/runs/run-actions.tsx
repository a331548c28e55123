import { useQueryClient } from "@tanstack/react-query";
import { Ban, RotateCw } from "lucide-react";
import { useState } from "react";
import { useMay } from "../api/me.ts";
import { cancelRun, isUnfinished } from "../api/runs.ts";
import type { Event, RunStory } from "../api/types.ts";
import { sendable } from "../events/event-texts.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { LookOnly } from "../parts/not-allowed.tsx";
import { SendToDev } from "../parts/send-to-dev.tsx";
import { useShortcut } from "../parts/shortcuts.ts";
import { toast } from "../parts/toast.tsx";
import { useRerun } from "./rerun.tsx";

interface RunActionsProps {
  run: RunStory;
  /** What started it; undefined while that is not known, or when it is gone. */
  event: Event | undefined;
}

/** What can be done with a run. */
export function RunActions({ run, event }: RunActionsProps) {
  const maySend = useMay("send");
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { start, starting } = useRerun(run.id);
  const unfinished = isUnfinished(run);
  const completed = run.steps.filter(({ status }) => status === "completed").length;
  const hasRest = completed > 0 && (run.status === "failed" || run.status === "cancelled");

  const cancel = async () => {
    await cancelRun(run.id);
    toast("done", "The run was cancelled.");
    await queryClient.invalidateQueries({ queryKey: ["runs"] });
  };
  useShortcut({ keys: "r", label: "Rerun", group: "Run" }, maySend && !starting ? () => start() : null);

  return (
    <div role="toolbar" aria-label="Actions" className="flex flex-wrap gap-2 border-b px-4 py-2">
      {event !== undefined && <SendToDev event={() => sendable(event)} />}
      {maySend ? (
        <>
          <Button icon={<RotateCw size={13} aria-hidden />} disabled={starting} onClick={() => start()}>
            Rerun
          </Button>
          {hasRest && (
            <Button
              icon={<RotateCw size={13} aria-hidden />}
              title={`Takes over ${completed === 1 ? "the step" : `the ${completed} steps`} that completed, and runs only the rest`}
              disabled={starting}
              onClick={() => start({ keep_completed: true })}
            >
              Rerun the rest
            </Button>
          )}
          {unfinished && (
            <Button look="danger" icon={<Ban size={13} aria-hidden />} onClick={() => setAsking(true)}>
              Cancel run
            </Button>
          )}
        </>
      ) : (
        <LookOnly permission="send" />
      )}
      {asking && (
        <ConfirmDialog
          title="Cancel this run?"
          action="Cancel the run"
          danger
          onConfirm={cancel}
          onClose={() => setAsking(false)}
        >
          <p>
            A call under way is broken off: the app may go on for a while, but nothing it reports is taken any
            more. Steps that have finished are not undone.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
