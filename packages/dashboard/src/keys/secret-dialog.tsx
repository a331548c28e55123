import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { copyText } from "../parts/copy-button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Command } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { environment } from "../place.ts";
import { KEY_WORDS } from "./key-words.ts";
import type { Shown } from "./keys-page.tsx";

/** A fresh secret: shown now, and never again. */
export function SecretDialog({
  shown: { kind, created, rotated },
  onClose,
}: {
  shown: Shown;
  onClose(): void;
}) {
  const [copied, setCopied] = useState(false);
  const { one, command } = KEY_WORDS[kind];
  return (
    <Dialog
      title={rotated ? `The new ${one}` : `${created.name} was created`}
      description="Copy it now: it is shown this once and cannot be read again."
      onClose={onClose}
      stays
      footer={
        <Button look={copied ? "primary" : "plain"} onClick={onClose}>
          {copied ? "Done" : "Close without copying"}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex items-center gap-2 rounded-md border border-accent bg-accent-soft p-2 pl-3">
          <code className="min-w-0 flex-1 text-xs break-all" data-secret>
            {created.secret}
          </code>
          <Button
            look="primary"
            autoFocus
            icon={copied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
            onClick={async () => setCopied(await copyText(created.secret))}
          >
            {copied ? "Copied" : "Copy"}
          </Button>
        </div>
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
          <Command text={command(created.secret, environment())} />
        </div>
      </div>
    </Dialog>
  );
}
