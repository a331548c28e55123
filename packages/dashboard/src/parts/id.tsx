import { CopyButton } from "./copy-button.tsx";

/** @example shortId("01KQHPHXG0F4ZXGGSTM5JSMNN5") // "01KQHP…SMNN5" */
export function shortId(id: string): string {
  return id.length <= 14 ? id : `${id.slice(0, 6)}…${id.slice(-5)}`;
}

/** An id in mono, shortened in the middle, to be copied. */
export function Id({ id, whole = false }: { id: string; whole?: boolean }) {
  return (
    <span className="group/id inline-flex min-w-0 items-center gap-0.5">
      <span className="truncate font-mono text-xs" title={id}>
        {whole ? id : shortId(id)}
      </span>
      <CopyButton
        text={id}
        label="Copy the id"
        className="!size-5 opacity-0 group-hover/id:opacity-100 focus-visible:opacity-100"
      />
    </span>
  );
}
