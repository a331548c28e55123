import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { WHY_NOT } from "../api/me.ts";
import { deleteWebhook, rotateWebhook, updateWebhook, type Webhook } from "../api/webhooks.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Input } from "../parts/field.tsx";
import { Id } from "../parts/id.tsx";
import { LookOnly } from "../parts/not-allowed.tsx";
import { PageSection } from "../parts/page-section.tsx";
import { Facts } from "../parts/side-panel.tsx";
import { Command } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { BRANCHES } from "./webhook-groups.ts";

interface SettingsTabProps {
  webhook: Webhook;
  mayManage: boolean;
}

type Asked = "rotate" | "delete" | null;

/** Name, address, pause and end of a webhook. */
export function SettingsTab({ webhook, mayManage }: SettingsTabProps) {
  const [asked, setAsked] = useState<Asked>(null);
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const why = mayManage ? undefined : WHY_NOT.manage;
  const put = (saved: Webhook) => {
    queries.setQueryData(["webhooks", "one", webhook.id], saved);
    void queries.invalidateQueries({ queryKey: ["webhooks", "list"] });
  };
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toastError(error);
    }
    setBusy(false);
  };

  const remove = async () => {
    await deleteWebhook(webhook.id);
    toast("done", `${webhook.name} is deleted.`);
    await navigate({ to: "/webhooks", search: {} as never });
    queries.removeQueries({ queryKey: ["webhooks", "one", webhook.id] });
    void queries.invalidateQueries({ queryKey: ["webhooks", "list"] });
  };

  return (
    <div className="flex flex-col">
      <PageSection title="Name">
        <Rename webhook={webhook} mayManage={mayManage} onSaved={put} />
      </PageSection>
      <PageSection
        title="URL"
        note={
          webhook.environment === BRANCHES
            ? "Whoever knows it can post to it: treat it as a secret. A request names its branch with ?x-svc-env=<branch>, or the header X-Svc-Env."
            : "Whoever knows it can post to it: treat it as a secret."
        }
      >
        {webhook.url === null ? (
          <p>It is shown to those who may manage webhooks.</p>
        ) : (
          <Command text={webhook.url} />
        )}
        <div className="mt-2">
          <Button disabled={!mayManage || busy} title={why} onClick={() => setAsked("rotate")}>
            Rotate…
          </Button>
        </div>
      </PageSection>
      <PageSection
        title={webhook.paused ? "Paused" : "Pause"}
        note={
          webhook.paused
            ? "Requests are kept, and nothing runs. Those that came meanwhile stay paused until they are replayed."
            : "While it is paused, requests are kept, and nothing runs. They can be replayed later."
        }
      >
        <div>
          <Button
            disabled={!mayManage || busy}
            title={why}
            onClick={() =>
              void attempt(async () => {
                const saved = await updateWebhook(webhook.id, { paused: !webhook.paused });
                put(saved);
                toast("done", saved.paused ? `${saved.name} is paused.` : `${saved.name} runs again.`);
              })
            }
          >
            {webhook.paused ? "Resume" : "Pause"}
          </Button>
        </div>
      </PageSection>
      <PageSection title="About">
        <Facts
          facts={[
            ["Id", <Id key="id" id={webhook.id} whole />],
            ["Environment", webhook.environment],
            [
              "Created",
              <span key="created">
                <Time at={webhook.created_at} />
                {webhook.created_by !== null && ` by ${webhook.created_by}`}
              </span>,
            ],
          ]}
        />
      </PageSection>
      <PageSection title="Delete" note="The address ends at once, and its requests are hidden. Events stay.">
        <div>
          <Button look="danger" disabled={!mayManage || busy} title={why} onClick={() => setAsked("delete")}>
            Delete…
          </Button>
        </div>
      </PageSection>
      {!mayManage && (
        <div className="px-4 py-4">
          <LookOnly permission="manage" />
        </div>
      )}
      {asked === "rotate" && (
        <ConfirmDialog
          title="Give it a new URL?"
          action="Rotate the URL"
          danger
          onConfirm={async () => {
            put(await rotateWebhook(webhook.id));
            toast("done", "The webhook has a new URL. Give it to the producer.");
          }}
          onClose={() => setAsked(null)}
        >
          <p>
            The old one ends at once: until the producer has the new one, its requests are refused with 401.
          </p>
          <p className="text-muted">
            To change over without a gap, create a second webhook, move the producer, and delete this one.
          </p>
        </ConfirmDialog>
      )}
      {asked === "delete" && (
        <ConfirmDialog
          title={`Delete ${webhook.name}?`}
          action="Delete the webhook"
          danger
          typed={webhook.name}
          onConfirm={remove}
          onClose={() => setAsked(null)}
        >
          <p>
            This cannot be undone: its address ends at once, and its requests can no longer be read or
            replayed. Events stay.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

interface RenameProps extends SettingsTabProps {
  onSaved(webhook: Webhook): void;
}

function Rename({ webhook, mayManage, onSaved }: RenameProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  const name = (typed ?? webhook.name).trim();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      onSaved(await updateWebhook(webhook.id, { name }));
      setTyped(null);
      toast("done", "Renamed.");
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <form onSubmit={submit} className="flex items-start gap-2">
      <Input
        label="Name of the webhook"
        hiddenLabel
        value={typed ?? webhook.name}
        maxLength={100}
        disabled={!mayManage}
        onChange={(event) => {
          setTyped(event.target.value);
          setProblem(undefined);
        }}
        error={problem}
        className="w-72 max-w-full"
      />
      <Button
        type="submit"
        disabled={!mayManage || name === "" || name === webhook.name}
        title={mayManage ? undefined : WHY_NOT.manage}
      >
        Rename
      </Button>
    </form>
  );
}
