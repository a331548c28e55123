import { useQuery } from "@tanstack/react-query";
import { Split } from "lucide-react";
import { type FormEvent, useState } from "react";
import { environmentsQuery } from "../api/environments.ts";
import { useMay, WHY_NOT } from "../api/me.ts";
import { routeRequest, type WebhookRequestDetail } from "../api/webhook-requests.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Select } from "../parts/field.tsx";
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

function RouteDialog({ request, onRouted, onClose }: RouteRequestProps & { onClose(): void }) {
  const environments = useQuery(environmentsQuery());
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const branches = (environments.data ?? [])
    .filter(({ type, archived_at }) => type === "branch" && archived_at === null)
    .map(({ name }) => name);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const environment = String(new FormData(event.currentTarget).get("environment"));
    setBusy(true);
    try {
      const { event_ids } = await routeRequest(request.id, environment);
      toast("done", `${event_ids.length} event${event_ids.length === 1 ? "" : "s"} went to ${environment}.`);
      onRouted();
      onClose();
    } catch (error) {
      setProblem((error as Error).message);
      setBusy(false);
    }
  };
  return (
    <Dialog title="Route to a branch" description="Its events go there as they are." onClose={onClose}>
      {environments.isSuccess && branches.length === 0 ? (
        <p>There is no branch environment. One comes into being when an app syncs under its name.</p>
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-3">
          <Select
            label="Branch environment"
            name="environment"
            defaultValue={request.branch ?? undefined}
            key={branches.length}
            error={problem}
            hint={
              request.branch === null ? "The request names none." : `The request names “${request.branch}”.`
            }
          >
            {branches.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" disabled={busy || branches.length === 0}>
              Route
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
