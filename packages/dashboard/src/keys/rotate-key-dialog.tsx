import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type CreatedKey, type Key, type KeyKind, rotateKey } from "../api/keys.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Select } from "../parts/field.tsx";
import { FormProblem } from "../parts/form-problem.tsx";
import { KEY_WORDS } from "./key-words.ts";

const GRACES = [
  ["0s", "not at all"],
  ["1h", "an hour"],
  ["24h", "a day"],
  ["7d", "7 days"],
  ["30d", "30 days"],
] as const;

interface RotateKeyDialogProps {
  kind: KeyKind;
  item: Key;
  onClose(): void;
  onRotated(created: CreatedKey): void;
}

/** Puts a new key in the place of another, which stays valid for a while. */
export function RotateKeyDialog({ kind, item, onClose, onRotated }: RotateKeyDialogProps) {
  const [grace, setGrace] = useState("24h");
  const rotation = useMutation({ mutationFn: () => rotateKey(kind, item.id, grace), onSuccess: onRotated });
  const { one } = KEY_WORDS[kind];
  return (
    <Dialog
      title={`Rotate ${item.name}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={rotation.isPending} onClick={() => rotation.mutate()}>
            Rotate
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p>
          A new {one} takes its place, with the same name
          {kind === "event" && ", lists and limit"}
          {kind === "api" && ", rights and length of life"}.
        </p>
        {item.signing === true && (
          <p className="text-failed">
            The new one signs at once: apps that do not have it refuse calls until they do. To change it
            without that, create a key, give it to the apps, and activate it.
          </p>
        )}
        <Select
          label="The old one stays valid for"
          value={grace}
          onChange={(event) => setGrace(event.target.value)}
          className="w-48"
        >
          {GRACES.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
        <FormProblem error={rotation.error} />
      </div>
    </Dialog>
  );
}
