import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { type Key, type KeyKind, type NewKey, updateKey } from "../api/keys.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Input } from "../parts/field.tsx";
import { FormProblem, problemOf } from "../parts/form-problem.tsx";
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
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    update.mutate({ name: String(form.get("name")), ...(kind === "event" && readLimits(form)) });
  };
  return (
    <Dialog
      title={`${kind === "event" ? "Edit" : "Rename"} ${item.name}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="edit-key" look="primary" disabled={update.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id="edit-key" onSubmit={submit} className="flex flex-col gap-4">
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
        <FormProblem error={update.error} fields={["name", "event_filter", "ip_filter", "rate_limit"]} />
      </form>
    </Dialog>
  );
}
