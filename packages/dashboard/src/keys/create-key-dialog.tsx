import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { environmentsQuery } from "../api/environments.ts";
import { type CreatedKey, createKey, type KeyKind, type NewKey, SCOPES, type Scope } from "../api/keys.ts";
import { useMe } from "../api/me.ts";
import { Checkbox, Input, Select } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { problemOf } from "../parts/form-problem.tsx";
import { KeyLimitFields } from "./key-limits.tsx";
import { KEY_WORDS } from "./key-words.ts";
import { readLimits } from "./read-limits.ts";

interface CreateKeyDialogProps {
  kind: KeyKind;
  onClose(): void;
  onCreated(created: CreatedKey): void;
}

const FIELDS = ["name", "event_filter", "ip_filter", "rate_limit", "environment", "expires_in"];

/** Makes a key of the kind whose list is shown. */
export function CreateKeyDialog({ kind, onClose, onCreated }: CreateKeyDialogProps) {
  const queryClient = useQueryClient();
  const [limited, setLimited] = useState(false);
  const creation = useMutation({
    mutationFn: (key: NewKey) => createKey(kind, key),
    onSuccess: (created) => {
      queryClient.invalidateQueries({ queryKey: [`${kind}-keys`] });
      onCreated(created);
    },
  });
  const submit = (form: FormData) => {
    const text = (field: string) => String(form.get(field) ?? "");
    creation.mutate({
      name: text("name"),
      ...(kind === "event" && limited && readLimits(form)),
      ...(kind === "api" && {
        scopes: form.getAll("scopes") as Scope[],
        environment: text("environment") || null,
        expires_in: text("expires_in") || null,
      }),
    });
  };
  const { error } = creation;
  const { one, note } = KEY_WORDS[kind];
  return (
    <FormDialog
      title={`Create ${/^[aeiou]/i.test(one) ? "an" : "a"} ${one}`}
      description={note}
      action="Create"
      busy={creation.isPending}
      error={error}
      fields={FIELDS}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input
        label="Name"
        name="name"
        required
        autoFocus
        maxLength={100}
        placeholder={kind === "event" ? "web shop" : kind === "signing" ? "from May on" : "nightly report"}
        hint={kind === "event" ? "Shows as the source of its events." : undefined}
        error={problemOf(error, "name")}
      />
      {kind === "event" && (
        <>
          <Checkbox
            label="Limit what it lets in"
            hint="Some events, some addresses, so many requests. Can be changed later."
            checked={limited}
            onChange={(event) => setLimited(event.target.checked)}
          />
          {limited && <KeyLimitFields limits={{}} error={error} />}
        </>
      )}
      {kind === "api" && <TokenFields error={error} />}
    </FormDialog>
  );
}

const MEANINGS: Record<Scope, string> = {
  read: "Looks at everything but keys.",
  send: "Sends events; replays, invokes, cancels and repeats runs.",
  manage: "Changes whatever people set up: apps, webhooks, environments, keys, people.",
};

function TokenFields({ error }: { error: unknown }) {
  const me = useMe();
  const environments = useQuery(environmentsQuery());
  const names = environments.data?.filter(({ archived_at }) => archived_at === null) ?? [];
  return (
    <>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">What it may do</legend>
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            name="scopes"
            value={scope}
            label={scope}
            hint={MEANINGS[scope]}
            defaultChecked={scope === "read"}
            // Nobody can give a token more rights than they have.
            disabled={me !== undefined && !me.permissions.includes(scope)}
          />
        ))}
        {problemOf(error, "scopes") !== undefined && (
          <p className="text-xs text-failed">{problemOf(error, "scopes")}</p>
        )}
      </fieldset>
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label="Environment"
          name="environment"
          defaultValue=""
          error={problemOf(error, "environment")}
        >
          <option value="">all of them</option>
          {names.map(({ id, name }) => (
            <option key={id} value={name}>
              {name === "branches" ? "branches (all of them)" : name}
            </option>
          ))}
        </Select>
        <Select label="Valid for" name="expires_in" defaultValue="90d" error={problemOf(error, "expires_in")}>
          <option value="7d">7 days</option>
          <option value="30d">30 days</option>
          <option value="90d">90 days</option>
          <option value="365d">a year</option>
          <option value="">until it is revoked</option>
        </Select>
      </div>
    </>
  );
}
