import { useMemo, useState } from "react";
import type { WebhookRequestDetail } from "../api/webhook-requests.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { JsonViewer } from "../parts/json-viewer.tsx";

/** Longer bodies are cut where they are shown raw; copying takes them whole. */
const MAX_SHOWN = 100_000;

/** A body as it was parsed, or as it came. */
export function RequestBody({ request }: { request: WebhookRequestDetail }) {
  const { body, body_encoding: encoding, headers } = request;
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const parsed = useMemo(() => parseBody(body, encoding, type), [body, encoding, type]);
  const [raw, setRaw] = useState(false);
  if (body === "") return <p className="text-muted">It has no body.</p>;
  return (
    <div className="flex flex-col gap-2">
      {parsed !== undefined && (
        <fieldset className="flex gap-1">
          <legend className="sr-only">How the body is shown</legend>
          {[false, true].map((each) => (
            <Button
              key={String(each)}
              look="quiet"
              aria-pressed={raw === each}
              className="aria-pressed:bg-hover aria-pressed:text-text"
              onClick={() => setRaw(each)}
            >
              {each ? "Raw" : "Parsed"}
            </Button>
          ))}
        </fieldset>
      )}
      {parsed !== undefined && !raw ? (
        <JsonViewer label="Body" root="evt" value={parsed} maxHeight="420px" />
      ) : (
        <div className="relative">
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            tabIndex={0}
            className="max-h-[420px] overflow-auto rounded-md border p-3 pr-10 text-xs break-all whitespace-pre-wrap"
          >
            {body.slice(0, MAX_SHOWN)}
          </pre>
          <CopyButton text={body} label="Copy the body" className="absolute top-1 right-1 bg-raised" />
          <p className="mt-1 text-xs text-muted">
            {encoding === "base64" && "Not text: shown as base64. "}
            {body.length > MAX_SHOWN &&
              `${(body.length - MAX_SHOWN).toLocaleString()} more characters are not shown.`}
          </p>
        </div>
      )}
    </div>
  );
}

/** JSON, or the fields of a form; undefined for what is neither. */
function parseBody(body: string, encoding: "utf8" | "base64", type: string): unknown {
  if (encoding === "base64") return undefined;
  if (type.includes("x-www-form-urlencoded")) return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
