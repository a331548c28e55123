import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiError } from "../api/request.ts";
import { createWebhook, type Starter, startersQuery } from "../api/webhooks.ts";
import { Button } from "../parts/button.tsx";
import { classNames } from "../parts/class-names.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Input, Select } from "../parts/field.tsx";
import { ErrorState, Skeleton } from "../parts/states.tsx";
import { groupTitle, useHolders } from "./webhook-groups.ts";

/** The starter for producers that have none of their own. */
const GENERIC = "generic";

/** A new webhook: its name, the producer it begins with, its environment. Opens it when it is there. */
export default function CreateWebhookDialog({ onClose }: { onClose(): void }) {
  const starters = useQuery(startersQuery());
  const { holders = [] } = useHolders();
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [holder, setHolder] = useState<string | null>(null);
  const [problem, setProblem] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const starter = starters.data?.find(({ id }) => id === (chosen ?? GENERIC));
  const ownName =
    name.trim() !== "" ? name.trim() : starter === undefined || starter.id === GENERIC ? "" : starter.name;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (ownName === "") {
      setProblem(
        new ApiError(400, "invalid_request", "Give it a name, such as that of the producer.", "name"),
      );
      return;
    }
    setBusy(true);
    try {
      const environment = holder ?? holders[0] ?? "";
      const created = await createWebhook({
        name: ownName,
        // Without a starter the transform names its events after the webhook.
        ...(starter !== undefined && starter.id !== GENERIC && { starter: starter.id }),
        ...(environment !== "" && { environment }),
      });
      void queries.invalidateQueries({ queryKey: ["webhooks", "list"] });
      await navigate({
        to: "/webhooks/$webhookId",
        params: { webhookId: created.id },
        search: (starter !== undefined && starter.samples.length > 0
          ? { sample: `${starter.id}.0` }
          : {}) as never,
      });
    } catch (error) {
      setProblem(error as Error);
      setBusy(false);
    }
  };
  const nameProblem = problem instanceof ApiError && problem.field === "name" ? problem.message : undefined;

  return (
    <Dialog
      title="Create a webhook"
      description="It gets an address at once. Its transform, which makes events of requests, can be changed any time."
      onClose={onClose}
      size="large"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="new-webhook" look="primary" disabled={busy}>
            Create
          </Button>
        </>
      }
    >
      <form id="new-webhook" onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Input
            label="Name"
            name="name"
            autoFocus
            maxLength={100}
            placeholder={ownName === "" ? "Shop orders" : ownName}
            value={name}
            onChange={(event) => {
              setName(event.target.value);
              setProblem(null);
            }}
            error={nameProblem}
          />
          {holders.length > 1 && (
            <Select
              label="Environment"
              value={holder ?? holders[0]}
              onChange={(event) => setHolder(event.target.value)}
              hint={
                holder === "branches"
                  ? "A request names its branch with ?x-svc-env=<branch>, or a header."
                  : undefined
              }
            >
              {holders.map((each) => (
                <option key={each} value={each}>
                  {groupTitle(each)}
                </option>
              ))}
            </Select>
          )}
        </div>
        <fieldset>
          <legend className="mb-1 font-medium">Begin with</legend>
          {starters.isError ? (
            <ErrorState error={starters.error} onRetry={() => void starters.refetch()} />
          ) : (
            <Starters starters={starters.data} chosen={chosen ?? GENERIC} onChoose={setChosen} />
          )}
        </fieldset>
        {starter !== undefined && (
          <div className="text-muted">
            <p>{starter.set_up}</p>
            {starter.id !== GENERIC && (
              <a
                href={starter.documentation_url}
                target="_blank"
                rel="noreferrer"
                className="text-accent hover:underline"
              >
                What {starter.name} says about its webhooks
              </a>
            )}
          </div>
        )}
        {problem !== null && nameProblem === undefined && (
          <p role="alert" className="text-failed">
            {problem.message}
          </p>
        )}
      </form>
    </Dialog>
  );
}

interface StartersProps {
  starters: Starter[] | undefined;
  chosen: string;
  onChoose(id: string): void;
}

function Starters({ starters, chosen, onChoose }: StartersProps) {
  if (starters === undefined) return <Skeleton className="h-24 w-full" />;
  return (
    <div className="grid grid-cols-1 gap-1.5 sm:grid-cols-3">
      {starters.map(({ id, name, summary }) => (
        <label
          key={id}
          className={classNames(
            "relative flex cursor-pointer flex-col rounded-md border px-3 py-2 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-accent",
            id === chosen && "border-accent bg-accent-soft hover:bg-accent-soft",
          )}
        >
          <input
            type="radio"
            name="starter"
            value={id}
            checked={id === chosen}
            onChange={() => onChoose(id)}
            className="sr-only"
          />
          <span className="font-medium">{name}</span>
          <span className="line-clamp-3 text-xs text-muted">{summary}</span>
        </label>
      ))}
    </div>
  );
}
