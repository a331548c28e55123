import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Key, type KeyKind, type NewKey, updateKey } from "../api/keys.ts";
import { Input } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { problemOf } from "../parts/form-problem.tsx";
import { toast } from "../parts/toast.tsx";
import { KeyLimitFields } from "./key-limits.tsx";
import { readLimits } from "./read-limits.ts";

/** Changes the name of a key, and what an event key lets in. */
export function EditKeyDialog({ kind, item, onClose }: { kind: KeyKind; item: Key; onClose(): void }) {
  const queryClient = useQueryClient();
  const update = useMutation({
    mutationFn: (change: Partial<NewKey>) => updateKey(kind, item.id, change),
    onSuccess: async (changed) => {
      await queryClient.invalidateQueries({ queryKey: [`${kind}-keys`] });
      toast("done", `${changed.name} was changed.`);
      onClose();
    },
  });
  const submit = (form: FormData) => {
    update.mutate({ name: String(form.get("name")), ...(kind === "event" && readLimits(form)) });
  };
  return (
    <FormDialog
      title={`${kind === "event" ? "Edit" : "Rename"} ${item.name}`}
      action="Save"
      busy={update.isPending}
      error={update.error}
      fields={["name", "event_filter", "ip_filter", "rate_limit"]}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="Name"
        name="name"
        required
        autoFocus
        maxLength={100}
        defaultValue={item.name}
        error={problemOf(update.error, "name")}
      />
      {kind === "event" && <KeyLimitFields limits={item} error={update.error} />}
    </FormDialog>
  );
}
