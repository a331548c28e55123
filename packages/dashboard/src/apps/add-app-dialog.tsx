import { useMutation, useQueryClient } from "@tanstack/react-query";
import { syncAppAt } from "../api/apps.ts";
import { Input } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { problemOf } from "../parts/form-problem.tsx";
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
  const submit = (form: FormData) => {
    sync.mutate(String(form.get("url")).trim());
  };
  return (
    <FormDialog
      title="Add an app"
      description="It is asked to register its functions now."
      action={sync.isPending ? "Asking …" : "Add"}
      busy={sync.isPending}
      error={sync.error}
      fields={["url"]}
      onSubmit={submit}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}

/** @example countText(2) // "2 functions" */
export function countText(count: number): string {
  return count === 1 ? "1 function" : `${count.toLocaleString()} functions`;
}
