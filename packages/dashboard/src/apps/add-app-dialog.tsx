import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { syncAppAt } from "../api/apps.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Input } from "../parts/field.tsx";
import { FormProblem, problemOf } from "../parts/form-problem.tsx";
import { toast } from "../parts/toast.tsx";
import { mode } from "../place.ts";

interface AddAppDialogProps {
  onClose(): void;
  onAdded(appId: string): void;
}

/** Asks the app at an address to sync. */
export function AddAppDialog({ onClose, onAdded }: AddAppDialogProps) {
  const queryClient = useQueryClient();
  const sync = useMutation({
    mutationFn: syncAppAt,
    onSuccess: async (app) => {
      await queryClient.invalidateQueries({ queryKey: ["apps"] });
      queryClient.invalidateQueries({ queryKey: ["functions"] });
      toast("done", `${app.id} is in sync, with ${countText(app.function_count)}.`);
      onAdded(app.id);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    sync.mutate(String(new FormData(event.currentTarget).get("url")).trim());
  };
  return (
    <Dialog
      title="Add an app"
      description="It is asked to register its functions now."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="add-app" look="primary" disabled={sync.isPending}>
            {sync.isPending ? "Asking …" : "Add"}
          </Button>
        </>
      }
    >
      <form id="add-app" onSubmit={submit} className="flex flex-col gap-3">
        <Input
          label="Address"
          name="url"
          type="url"
          required
          autoFocus
          placeholder={
            mode === "dev" ? "http://localhost:3000/api/svc" : "https://your-app.example.com/api/svc"
          }
          hint="Where the app serves its functions, with the path."
          error={problemOf(sync.error, "url")}
        />
        <FormProblem error={sync.error} fields={["url"]} />
      </form>
    </Dialog>
  );
}

/** @example countText(2) // "2 functions" */
export function countText(count: number): string {
  return count === 1 ? "1 function" : `${count.toLocaleString()} functions`;
}
