import { OnceDialog } from "../parts/once-dialog.tsx";
import { Command } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { KEY_WORDS } from "./key-words.ts";
import type { Shown } from "./keys-page.tsx";

/** A fresh secret, and what to do with it. */
export function SecretDialog({
  shown: { kind, created, rotated },
  onClose,
}: {
  shown: Shown;
  onClose(): void;
}) {
  const { one, command } = KEY_WORDS[kind];
  return (
    <OnceDialog
      title={rotated ? `The new ${one}` : `${created.name} was created`}
      text={created.secret}
      onClose={onClose}
    >
      {kind === "signing" && !created.signing && (
        <p className="text-muted">
          It is accepted from now on. Give it to the apps, with the old one as their fallback; when all have
          it, activate it here, and calls are signed with it.
        </p>
      )}
      {created.expires_at !== null && (
        <p className="text-muted">
          It ends <Time at={created.expires_at} />.
        </p>
      )}
      <div>
        <p className="text-muted">{kind === "signing" ? "Start an app with it:" : "Try it:"}</p>
        <Command text={command(created.secret, created.environment)} />
      </div>
    </OnceDialog>
  );
}
