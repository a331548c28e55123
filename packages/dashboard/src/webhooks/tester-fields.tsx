import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { CodeEditor } from "../parts/code-editor.tsx";
import { Input, Select, TextArea } from "../parts/field.tsx";
import { Skeleton } from "../parts/states.tsx";
import { statusWord } from "../parts/status-badge.tsx";
import { relativeTime } from "../parts/time.tsx";
import { readHeaders } from "./header-lines.ts";
import type { TesterInput } from "./tester-input.ts";
import { useWebhookSearch } from "./webhook-search.ts";

type Part = "body" | "headers" | "query";

/** The incoming request of the tester: which one, and its parts to be changed. */
export function TesterFieldsPane({ input }: { input: TesterInput }) {
  const [part, setPart] = useState<Part>("body");
  const { fields, edit } = input;
  const { headers, wrong } = readHeaders(fields?.headers ?? "");
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "json";
  const parts: [Part, string][] = [
    ["body", "Incoming Event JSON"],
    ["headers", `Headers (${Object.keys(headers).length})`],
    ["query", fields?.query ? "Query (set)" : "Query"],
  ];
  return (
    <div className="flex flex-col gap-2 border-b px-4 py-2">
      <div className="flex flex-wrap items-center gap-2">
        <InputChoice input={input} />
        {input.changed && (
          <Button look="quiet" icon={<RotateCcw size={13} aria-hidden />} onClick={input.reset}>
            As it came
          </Button>
        )}
      </div>
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">Part of the request</legend>
        {parts.map(([value, label]) => (
          <Button
            key={value}
            look="quiet"
            aria-pressed={part === value}
            className="aria-pressed:bg-hover aria-pressed:text-text"
            onClick={() => setPart(value)}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      {fields === null ? (
        <Skeleton className="h-40 w-full" />
      ) : part === "body" ? (
        <>
          {input.binary && (
            <p className="text-muted">This body is no text. It is shown as base64, and sent as it came.</p>
          )}
          <CodeEditor
            label="Incoming Event JSON"
            value={fields.body}
            onChange={(body) => body !== fields.body && edit({ body })}
            language={type.includes("json") && !input.binary ? "json" : "text"}
            readOnly={input.binary}
            height="240px"
          />
        </>
      ) : part === "headers" ? (
        <TextArea
          label="Headers"
          hiddenLabel
          rows={8}
          value={fields.headers}
          onChange={(event) => edit({ headers: event.target.value })}
          hint="Name: value, one on each line."
          error={
            wrong.length === 0
              ? undefined
              : `Line ${wrong.join(", ")}: expected a name, a colon and a value, as in “X-Shop: 1”.`
          }
        />
      ) : (
        <Input
          label="Query string"
          hiddenLabel
          value={fields.query}
          placeholder="source=shop&x-svc-env=feature/checkout"
          onChange={(event) => edit({ query: event.target.value })}
          hint="What stands behind the question mark of the URL."
        />
      )}
    </div>
  );
}

function InputChoice({ input }: { input: TesterInput }) {
  const [, change] = useWebhookSearch();
  const { chosen, requests, starters } = input;
  const value = chosen.input === undefined ? `sample ${chosen.sample}` : `request ${chosen.input}`;
  const known = chosen.input === undefined || requests.some(({ id }) => id === chosen.input);
  const now = Date.now();
  return (
    <Select
      label="Request to try it on"
      hiddenLabel
      value={value}
      className="min-w-0 flex-1"
      onChange={(event) => {
        const [kind, name] = event.target.value.split(" ");
        change(kind === "sample" ? { sample: name, input: undefined } : { input: name, sample: undefined });
      }}
    >
      {!known && <option value={value}>Request {chosen.input}</option>}
      {requests.length > 0 && (
        <optgroup label="Requests that came">
          {requests.map(({ id, received_at, status, size }) => (
            <option key={id} value={`request ${id}`}>
              {relativeTime(Date.parse(received_at), now)} · {statusWord(status)} · {size.toLocaleString()}{" "}
              bytes · …{id.slice(-5)}
            </option>
          ))}
        </optgroup>
      )}
      {starters.map((starter) => (
        <optgroup
          key={starter.id}
          label={`Samples of ${starter.id === "generic" ? "any producer" : starter.name}`}
        >
          {starter.samples.map((sample, at) => (
            <option key={sample.name} value={`sample ${starter.id}.${at}`}>
              {starter.id === "generic" ? "" : `${starter.name}: `}
              {sample.name}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  );
}
