import { Check, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { copyText } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";

interface OnceDialogProps {
  title: string;
  /** The secret, or the link with one in it. */
  text: string;
  children?: ReactNode;
  onClose(): void;
}

/** Something secret that has just been made: shown now, and never again. A click beside it does not close it. */
export function OnceDialog({ title, text, children, onClose }: OnceDialogProps) {
  const [copied, setCopied] = useState(false);
  return (
    <Dialog
      title={title}
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
            {text}
          </code>
          <Button
            look="primary"
            autoFocus
            icon={copied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
            onClick={async () => setCopied(await copyText(text))}
          >
            {copied ? "Copied" : "Copy"}
          </Button>
        </div>
        {children}
      </div>
    </Dialog>
  );
}
