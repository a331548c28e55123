import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { copyText } from "./copy-button.tsx";

/** @example shortId("01KQHPHXG0F4ZXGGSTM5JSMNN5") // "01KQHP…SMNN5" */
export function shortId(id: string): string {
  return id.length <= 14 ? id : `${id.slice(0, 6)}…${id.slice(-5)}`;
}

/** An id in mono, shortened in the middle, to be copied. */
export function Id({ id, whole = false }: { id: string; whole?: boolean }) {
  const [near, setNear] = useState(false);
  return (
    <span
      className="inline-flex min-w-0 items-center gap-0.5"
      onPointerEnter={() => setNear(true)}
      onPointerLeave={() => setNear(false)}
    >
      <span className="truncate font-mono text-xs" title={id}>
        {whole ? id : shortId(id)}
      </span>
      <CopyId id={id} near={near} />
    </span>
  );
}

/** A button of a list by the thousand: what shows only on hover is made only then. */
function CopyId({ id, near }: { id: string; near: boolean }) {
  const [focused, setFocused] = useState(false);
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      aria-label={copied ? "Copied" : "Copy the id"}
      className="inline-flex size-5 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
      onFocus={() => setFocused(true)}
      onBlur={() => {
        setFocused(false);
        setCopied(false);
      }}
      onPointerLeave={() => setCopied(false)}
      onClick={async (event) => {
        event.stopPropagation();
        setCopied(await copyText(id));
      }}
    >
      {(near || focused) && <Icon size={13} aria-hidden className={copied ? "text-completed" : ""} />}
    </button>
  );
}
