import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Archive, ArchiveRestore, ArrowRight } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { archiveEnvironment, type EnvironmentDetail, updateEnvironment } from "../api/environments.ts";
import { useMay } from "../api/me.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Checkbox, Input } from "../parts/field.tsx";
import { FormProblem, problemOf } from "../parts/form-problem.tsx";
import { Id } from "../parts/id.tsx";
import { Moment } from "../parts/moment.tsx";
import { LookOnly } from "../parts/not-allowed.tsx";
import { Facts, PanelSection, SidePanel } from "../parts/side-panel.tsx";
import { Command } from "../parts/states.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { serviceUrl } from "../place.ts";
import { sizeText, typeText } from "./environment-columns.tsx";

/** One environment: how to use it, and what can be changed about it. */
export function EnvironmentPanel({
  environment,
  onClose,
}: {
  environment: EnvironmentDetail;
  onClose(): void;
}) {
  const { name, type, archived_at } = environment;
  const mayManage = useMay("manage");
  const mayAdminister = useMay("administer");
  const mayChange = type === "branch" ? mayManage : mayAdminister;
  return (
    <SidePanel
      label={`Environment ${name}`}
      onClose={onClose}
      title={<h2 className="truncate font-semibold">{name}</h2>}
    >
      <Actions environment={environment} mayChange={mayChange} onClose={onClose} />
      {archived_at === null && type !== "branches" && (type === "branch" || mayAdminister) && (
        <PanelSection title="Settings">
          <div className="flex flex-col gap-4">
            {type === "branch" && <AutoArchive environment={environment} mayChange={mayManage} />}
            {mayAdminister && (
              // Fields begin with what is stored: after a change they begin anew.
              <RequestSize key={environment.max_request_bytes} environment={environment} />
            )}
          </div>
        </PanelSection>
      )}
      {archived_at === null && <HowToUse environment={environment} />}
      <PanelSection title="Environment">
        <Facts facts={factsOf(environment)} />
      </PanelSection>
    </SidePanel>
  );
}

interface ActionsProps {
  environment: EnvironmentDetail;
  mayChange: boolean;
  onClose(): void;
}

function Actions({ environment: { id, name, type, archived_at }, mayChange, onClose }: ActionsProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [archiving, setArchiving] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["environments"] });
  const restore = useMutation({
    mutationFn: () => archiveEnvironment(id, false),
    onSuccess: () => {
      toast("done", `${name} is back in use.`);
      onClose();
    },
    onError: toastError,
    onSettled: refresh,
  });
  const canArchive = type === "branch" || type === "named";
  return (
    <div role="toolbar" aria-label="Actions" className="flex flex-wrap items-center gap-2 border-b px-4 py-2">
      <Button
        icon={<ArrowRight size={13} aria-hidden />}
        onClick={() =>
          navigate({ to: "/events", search: { env: name === "production" ? undefined : name } as never })
        }
      >
        Go to its events
      </Button>
      {canArchive && mayChange && archived_at === null && (
        <Button look="danger" icon={<Archive size={13} aria-hidden />} onClick={() => setArchiving(true)}>
          Archive
        </Button>
      )}
      {archived_at !== null && mayChange && (
        <Button
          look="primary"
          icon={<ArchiveRestore size={13} aria-hidden />}
          disabled={restore.isPending}
          onClick={() => restore.mutate()}
        >
          Take it back
        </Button>
      )}
      {canArchive && !mayChange && <LookOnly permission={type === "branch" ? "manage" : "administer"} />}
      {archiving && (
        <ConfirmDialog
          title={`Archive ${name}?`}
          action="Archive"
          danger
          {...(type === "named" && { typed: name })}
          onClose={() => setArchiving(false)}
          onConfirm={async () => {
            await archiveEnvironment(id, true);
            toast("done", `${name} was archived.`);
            onClose();
            await refresh();
          }}
        >
          <p>
            It takes no more events, syncs and requests. Runs under way go on to their end, and what it holds
            can still be looked at. {type === "branch" && "The next sync under its name brings it back."}
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function useUpdate(environment: EnvironmentDetail, told: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: Parameters<typeof updateEnvironment>[1]) =>
      updateEnvironment(environment.id, change),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["environments"] });
      toast("done", told);
    },
  });
}

function AutoArchive({ environment, mayChange }: { environment: EnvironmentDetail; mayChange: boolean }) {
  const update = useUpdate(environment, `${environment.name} was changed.`);
  return (
    <div>
      <Checkbox
        label="Archive it by itself when it is unused"
        hint={
          <>
            After 7 days without an event or a sync, unless the service says otherwise (
            <code className="whitespace-nowrap">--branch-archive-after</code>).
          </>
        }
        checked={update.isPending ? update.variables.auto_archive : environment.auto_archive}
        disabled={!mayChange || update.isPending}
        onChange={(event) => update.mutate({ auto_archive: event.target.checked })}
      />
      <FormProblem error={update.error} />
    </div>
  );
}

const KIB = 1_024;

function RequestSize({ environment }: { environment: EnvironmentDetail }) {
  const update = useUpdate(environment, `The request size of ${environment.name} was changed.`);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const kib = String(new FormData(event.currentTarget).get("kib")).trim();
    update.mutate({ max_request_bytes: kib === "" ? null : Math.round(Number(kib) * KIB) });
  };
  const { max_request_bytes } = environment;
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <Input
          label="Largest request that sends events, KiB"
          name="kib"
          type="number"
          min={1}
          max={64 * KIB}
          step="any"
          placeholder="as the service is set"
          defaultValue={max_request_bytes === null ? "" : max_request_bytes / KIB}
          className="w-64"
        />
        <Button type="submit" disabled={update.isPending}>
          Save
        </Button>
      </div>
      <p className="text-xs text-muted">
        1 to 65,536; empty for the service's own (<code>--max-request-size</code>).
      </p>
      {problemOf(update.error, "max_request_bytes") !== undefined && (
        <p className="text-xs text-failed">{problemOf(update.error, "max_request_bytes")}</p>
      )}
      <FormProblem error={update.error} fields={["max_request_bytes"]} />
    </form>
  );
}

function HowToUse({ environment: { name, type } }: { environment: EnvironmentDetail }) {
  const base = serviceUrl("").replace(/\/$/, "");
  const env = name === "production" ? undefined : type === "branch" ? "branches" : name;
  const keys = (
    <Link to="/keys" search={{ env } as never} className="text-accent underline underline-offset-2">
      {type === "branch" || type === "branches" ? "keys of all branches" : "its keys"}
    </Link>
  );
  if (type === "branches") {
    return (
      <PanelSection title="How to use branches">
        <p className="text-muted">
          Give the {keys} to your preview deployments once. A branch opens with the first sync under its name:
        </p>
        <Command
          text={`export SVC_BASE_URL=${base} SVC_ENV=$BRANCH\nexport SVC_EVENT_KEY=… SVC_SIGNING_KEY=…\n# deploy, then register the functions:\ncurl -X PUT "https://$PREVIEW_HOST/api/svc"`}
        />
      </PanelSection>
    );
  }
  return (
    <PanelSection title={type === "branch" ? "How to use this branch" : "How to use it"}>
      <p className="text-muted">Start an app for it, with {keys}:</p>
      <Command
        text={`SVC_BASE_URL=${base}${type === "branch" ? ` SVC_ENV=${name}` : ""} SVC_EVENT_KEY=… SVC_SIGNING_KEY=… npm start`}
      />
      <p className="mt-3 text-muted">Or send to it without the SDK:</p>
      <Command
        text={`curl ${base}/e/$SVC_EVENT_KEY${type === "branch" ? ` -H 'x-svc-env: ${name}'` : ""} -d '{"name":"demo/hello","data":{}}'`}
      />
    </PanelSection>
  );
}

function factsOf(environment: EnvironmentDetail): [string, ReactNode][] {
  const { id, type, created_at, created_by, archived_at, last_active_at, max_request_bytes } = environment;
  const none = (word: string) => <span className="text-muted">{word}</span>;
  const facts: [string, ReactNode][] = [
    ["Type", typeText(type)],
    ["Created", <Moment key="created" at={created_at} />],
    ["Created by", created_by ?? none("the service")],
    ["Last active", last_active_at === null ? none("never") : <Moment key="active" at={last_active_at} />],
  ];
  if (archived_at !== null) facts.push(["Archived", <Moment key="archived" at={archived_at} />]);
  if (type !== "branches") {
    facts.push([
      "Request size",
      max_request_bytes === null ? none("as the service is set") : sizeText(max_request_bytes),
    ]);
  }
  facts.push(["Id", <Id key="id" id={id} whole />]);
  return facts;
}
