import { LoaderCircle } from "lucide-react";
import type { TransformedEvent, TransformResult } from "../api/webhooks.ts";
import { classNames } from "../parts/class-names.ts";
import { JsonViewer } from "../parts/json-viewer.tsx";
import { SendToDev } from "../parts/send-to-dev.tsx";
import { ErrorState, Skeleton } from "../parts/states.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { ConsoleOutput, TransformErrorBox } from "./transform-error.tsx";

interface TesterResultProps {
  result: TransformResult | undefined;
  /** Whether another result is on its way. */
  pending: boolean;
  /** Why there is none. */
  problem: Error | null;
  onRetry(): void;
  onPlace(place: { line: number; column: number | null }): void;
}

/** Events drawn; a transform may return more. */
const MAX_SHOWN = 20;

/** What the transform made of the request: events or an error, what it logged, how long it took. */
export function TesterResult({ result, pending, problem, onRetry, onPlace }: TesterResultProps) {
  if (problem !== null) return <ErrorState error={problem} onRetry={onRetry} />;
  if (result === undefined) {
    return (
      <div role="status" aria-label="Running the transform" className="flex flex-col gap-3 p-4">
        <Skeleton className="w-40" />
        <Skeleton className="h-24 w-full" />
      </div>
    );
  }
  const { status, events, error, logs, duration_ms } = result;
  return (
    <div aria-busy={pending} className="flex flex-col gap-3 px-4 py-3">
      <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-medium">Transformed event</h2>
        {status === "events" ? (
          <span className="text-muted">{events.length === 1 ? "1 event" : `${events.length} events`}</span>
        ) : (
          <StatusBadge status={status} />
        )}
        <span className="tabular text-muted">{durationOf(duration_ms)}</span>
        <LoaderCircle
          size={13}
          aria-hidden
          className={classNames("animate-spin text-muted", !pending && "invisible")}
        />
      </div>
      {error !== null && <TransformErrorBox error={error} onPlace={onPlace} />}
      {status === "ignored" && (
        <p className="text-muted">It returned nothing, so the request would be kept and ignored.</p>
      )}
      {events.slice(0, MAX_SHOWN).map((event, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events of one result have no other name
        <EventPreview key={at} event={event} label={`Event ${at + 1}`} />
      ))}
      {events.length > MAX_SHOWN && (
        <p className="text-muted">… and {(events.length - MAX_SHOWN).toLocaleString()} more events.</p>
      )}
      <h3 className="font-medium">Console</h3>
      <ConsoleOutput logs={logs} />
    </div>
  );
}

function EventPreview({ event, label }: { event: TransformedEvent; label: string }) {
  const shown = {
    name: event.name,
    ...(event.id !== null && { id: event.id }),
    data: event.data,
    ts: event.ts,
  };
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 flex-1 truncate text-xs font-medium">{event.name}</code>
        <SendToDev event={() => ({ name: event.name, data: event.data })} />
      </div>
      <JsonViewer value={shown} root="event" label={label} maxHeight="360px" />
    </div>
  );
}

/** Transforms take fractions of a millisecond. @example durationOf(0.214) // "0.21 ms" */
export function durationOf(ms: number): string {
  return ms < 10 ? `${ms.toFixed(2)} ms` : `${Math.round(ms).toLocaleString()} ms`;
}
