import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ban, RotateCw } from "lucide-react";
import { useState } from "react";
import { useMay } from "../api/me.ts";
import { cancelRun, isUnfinished, rerun } from "../api/runs.ts";
import type { Event, Run } from "../api/types.ts";
import { sendable } from "../events/event-texts.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { LookOnly } from "../parts/not-allowed.tsx";
import { SendToDev } from "../parts/send-to-dev.tsx";
import { useShortcut } from "../parts/shortcuts.ts";
import { toast, toastError } from "../parts/toast.tsx";
import type { RunSearch } from "./run-search.ts";

interface RunActionsProps {
  run: Run;
  /** What started it; undefined while that is not known, or when it is gone. */
  event: Event | undefined;
}

/** What can be done with a run. */
export function RunActions({ run, event }: RunActionsProps) {
  const maySend = useMay("send");
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [starting, setStarting] = useState(false);
  const unfinished = isUnfinished(run);

  const again = async () => {
    setStarting(true);
    try {
      const id = await rerun(run.id);
      queryClient.invalidateQueries({ queryKey: ["runs"] });
      toast("done", "Started again, as a new run.");
      await navigate({
        to: "/runs/$runId",
        params: { runId: id },
        search: ((now: RunSearch) => ({ ...now, step: undefined })) as never,
      });
    } catch (error) {
      toastError(error);
    }
    setStarting(false);
  };
  const cancel = async () => {
    await cancelRun(run.id);
    toast("done", "The run was cancelled.");
    await queryClient.invalidateQueries({ queryKey: ["runs"] });
  };
  useShortcut({ keys: "r", label: "Rerun", group: "Run" }, maySend && !starting ? again : null);

  return (
    <div role="toolbar" aria-label="Actions" className="flex flex-wrap gap-2 border-b px-4 py-2">
      {event !== undefined && <SendToDev event={() => sendable(event)} />}
      {maySend ? (
        <>
          <Button icon={<RotateCw size={13} aria-hidden />} disabled={starting} onClick={again}>
            Rerun
          </Button>
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
