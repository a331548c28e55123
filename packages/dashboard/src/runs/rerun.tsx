import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { useMay } from "../api/me.ts";
import { type Kept, rerun } from "../api/runs.ts";
import { Button } from "../parts/button.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import type { RunSearch } from "./run-search.ts";

/** Starting a run again, as a new one, which is shown then. */
export function useRerun(runId: string) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [starting, setStarting] = useState(false);
  const start = async (kept: Kept = {}) => {
    setStarting(true);
    try {
      const id = await rerun(runId, kept);
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
  return { start, starting };
}

/** Repeats a run from one of its steps on; nothing for those who may not. */
export function RerunFromStep({ runId, stepId }: { runId: string; stepId: string }) {
  const maySend = useMay("send");
  const { start, starting } = useRerun(runId);
  if (!maySend) return null;
  return (
    <Button
      icon={<RotateCw size={13} aria-hidden />}
      title="What had finished before this step is taken over, this step and all that came later is run again"
      disabled={starting}
      onClick={() => start({ from_step: stepId })}
    >
      Rerun from this step
    </Button>
  );
}
