import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createEnvironment } from "../api/environments.ts";
import { useMay } from "../api/me.ts";
import { Input, Select } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { problemOf } from "../parts/form-problem.tsx";
import { toast } from "../parts/toast.tsx";

interface CreateEnvironmentDialogProps {
  onClose(): void;
  onCreated(id: string): void;
}

/** Makes a branch by hand, or an environment of its own keys. */
export function CreateEnvironmentDialog({ onClose, onCreated }: CreateEnvironmentDialogProps) {
  const queryClient = useQueryClient();
  const mayAdminister = useMay("administer");
  const [type, setType] = useState<"branch" | "named">("branch");
  const creation = useMutation({
    mutationFn: createEnvironment,
    onSuccess: async ({ id, name }) => {
      await queryClient.invalidateQueries({ queryKey: ["environments"] });
      toast("done", `${name} was created.`);
      onCreated(id);
    },
  });
  const submit = (form: FormData) => {
    creation.mutate({ name: String(form.get("name")).trim(), type });
  };
  return (
    <FormDialog
      title="Create an environment"
      action="Create"
      busy={creation.isPending}
      error={creation.error}
      fields={["name"]}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label="Type"
        value={type}
        onChange={(event) => setType(event.target.value as typeof type)}
        hint={
          type === "branch"
            ? "Of a branch of your code. All branches share the keys of their parent. One comes into being by itself with the first sync under its name."
            : "With keys of its own: staging, a region, a customer."
        }
      >
        <option value="branch">Branch</option>
        <option value="named" disabled={!mayAdminister}>
          {mayAdminister ? "Named" : "Named (admins and owners)"}
        </option>
      </Select>
      <Input
        label="Name"
        name="name"
        required
        autoFocus
        maxLength={128}
        placeholder={type === "branch" ? "feature/checkout" : "staging"}
        hint={
          type === "branch"
            ? "As your version control calls it."
            : "Letters, digits and the characters . _ / @ # + : ~ -"
        }
        error={problemOf(creation.error, "name")}
      />
    </FormDialog>
  );
}
