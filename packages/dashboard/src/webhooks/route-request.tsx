import { useMutation, useQuery } from "@tanstack/react-query";
import { Split } from "lucide-react";
import { useState } from "react";
import { environmentsQuery } from "../api/environments.ts";
import { useMay, WHY_NOT } from "../api/me.ts";
import { routeRequest, type WebhookRequestDetail } from "../api/webhook-requests.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Select } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { problemOf } from "../parts/form-problem.tsx";
import { toast } from "../parts/toast.tsx";

interface RouteRequestProps {
  request: WebhookRequestDetail;
  onRouted(): void;
}

/** Sends the events of a request that named no branch to one. */
export function RouteRequest(props: RouteRequestProps) {
  const [open, setOpen] = useState(false);
  const maySend = useMay("send");
  return (
    <>
      <Button
        look="primary"
        icon={<Split size={13} aria-hidden />}
        disabled={!maySend}
        title={maySend ? undefined : WHY_NOT.send}
        onClick={() => setOpen(true)}
      >
        Route…
      </Button>
      {open && <RouteDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

const TITLE = "Route to a branch";

function RouteDialog({ request, onRouted, onClose }: RouteRequestProps & { onClose(): void }) {
  const environments = useQuery(environmentsQuery());
  const routing = useMutation({
    mutationFn: async (environment: string) => ({
      environment,
      ids: (await routeRequest(request.id, environment)).event_ids,
    }),
    onSuccess: ({ environment, ids }) => {
      toast("done", `${ids.length} event${ids.length === 1 ? "" : "s"} went to ${environment}.`);
      onRouted();
      onClose();
    },
  });
  const branches = (environments.data ?? [])
    .filter(({ type, archived_at }) => type === "branch" && archived_at === null)
    .map(({ name }) => name);
  const description = "Its events go there as they are.";
  if (environments.isSuccess && branches.length === 0) {
    return (
      <Dialog title={TITLE} description={description} onClose={onClose}>
        <p>There is no branch environment. One comes into being when an app syncs under its name.</p>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={TITLE}
      description={description}
      action="Route"
      busy={routing.isPending || branches.length === 0}
      error={routing.error}
      fields={["environment"]}
      onSubmit={(form) => routing.mutate(String(form.get("environment")))}
      onClose={onClose}
    >
      <Select
        label="Branch environment"
        name="environment"
        defaultValue={request.branch ?? undefined}
        key={branches.length}
        error={problemOf(routing.error, "environment")}
        hint={request.branch === null ? "The request names none." : `The request names “${request.branch}”.`}
      >
        {branches.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
    </FormDialog>
  );
}
