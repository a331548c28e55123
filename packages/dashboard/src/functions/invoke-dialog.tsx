import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { invokeFunction } from "../api/functions.ts";
import { request } from "../api/request.ts";
import type { Event, Fn, Page } from "../api/types.ts";
import { Button } from "../parts/button.tsx";
import { CodeEditor } from "../parts/code-editor.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { FormProblem } from "../parts/form-problem.tsx";
import { jsonFaults } from "../parts/json-faults.ts";
import { toast } from "../parts/toast.tsx";
import { environment } from "../place.ts";
import { payloadProblem } from "./payload.ts";

/** Runs a function with data that is typed here, whatever its triggers. */
export function InvokeDialog({ fn, onClose }: { fn: Fn; onClose(): void }) {
  const last = useQuery(lastPayloadQuery(fn));
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (last.data == null ? "{}" : JSON.stringify(last.data, null, 2));
  const problem = payloadProblem(text);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const invoking = useMutation({
    mutationFn: () => invokeFunction(fn.id, JSON.parse(text) as Record<string, unknown>),
    async onSuccess(runId) {
      onClose();
      toast("done", `${fn.name} was invoked.`);
      queryClient.invalidateQueries({ queryKey: ["runs"] });
      await navigate({ to: "/runs/$runId", params: { runId } });
    },
  });
  return (
    <Dialog
      title={`Invoke ${fn.name}`}
      description={
        fn.paused
          ? "The function is paused for events; this runs it all the same."
          : "Runs it once, whatever its triggers."
      }
      size="large"
      onClose={onClose}
      footer={
        <>
          <span role="status" className="min-w-0 flex-1 text-xs text-failed">
            {problem}
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            disabled={problem !== null || invoking.isPending || last.isPending}
            onClick={() => invoking.mutate()}
          >
            Invoke
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-muted">
          {last.data == null ? (
            <>
              What <code className="text-xs">event.data</code> will be:
            </>
          ) : (
            <>
              What <code className="text-xs">event.data</code> will be; to begin with, that of the last event
              that triggers it:
            </>
          )}
        </p>
        {last.isPending ? (
          <div className="h-80" />
        ) : (
          <CodeEditor
            label="Data"
            language="json"
            value={text}
            onChange={setTyped}
            check={jsonFaults}
            autoFocus
          />
        )}
        <FormProblem error={invoking.error} />
      </div>
    </Dialog>
  );
}

/** The data of the newest event that one of its triggers names; null when there is none. */
function lastPayloadQuery(fn: Fn) {
  const names = fn.triggers
    .flatMap((trigger) => ("event" in trigger && trigger.event ? [trigger.event] : []))
    // Lists of events take a star for any rest only at the end, as triggers have it.
    .slice(0, 20)
    .join(",");
  return {
    queryKey: ["functions", environment(), fn.id, "last-payload", names],
    async queryFn({ signal }: { signal: AbortSignal }) {
      if (names === "") return null;
      const page = await request<Page<Event>>("v1/events", { query: { name: names, limit: 1 }, signal });
      return page.data[0]?.data ?? null;
    },
    // Nothing to begin with is no reason not to begin.
    retry: false,
  };
}
