import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { eventQuery, freshEventsQuery, sendEvents } from "../api/events.ts";
import { functionsQuery } from "../api/functions.ts";
import { ApiError } from "../api/request.ts";
import type { EventRow } from "../api/types.ts";
import { Button } from "../parts/button.tsx";
import { CodeEditor } from "../parts/code-editor.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Select } from "../parts/field.tsx";
import { useKept } from "../parts/kept.ts";
import { Keys } from "../parts/keys.tsx";
import { toast } from "../parts/toast.tsx";
import { checkDraft, countDraft } from "./draft.ts";
import { sendable } from "./event-texts.ts";
import { suggestedEvent } from "./suggested-event.ts";

interface SendEventDialogProps {
  onClose(): void;
  /** JSON to begin with; null: the last one sent from here, or an example. */
  start: string | null;
}

const KEY = "svc-last-sent";
/** Larger texts are not kept in the browser. */
const MAX_KEPT = 100_000;
const DAY_MS = 86_400_000;

interface Kept {
  /** What it began with. */
  start: string | null;
  text: string;
}

/** Writes an event, or an array of them, and sends it. */
export default function SendEventDialog({ onClose, start }: SendEventDialogProps) {
  const queryClient = useQueryClient();
  // What is known without asking, once: nothing changes under the first keys.
  const [example] = useState(() =>
    JSON.stringify(suggestedEvent(queryClient.getQueryData(functionsQuery().queryKey) ?? []), null, 2),
  );
  const [kept, keep] = useKept<Kept>("event");
  // Closed by mistake, covered by the command palette, or cut off by the end of a session: it goes on where it was.
  const goesOn = kept !== null && (start === null || kept.start === start);
  const text = goesOn ? kept.text : (start ?? localStorage.getItem(KEY) ?? example);
  const setText = (next: string) => keep({ start, text: next });
  const [problem, setProblem] = useState<string | null>(null);
  const navigate = useNavigate();
  const recent = useRecentEvents();
  const count = countDraft(text);
  const isOpen = useIsMounted();

  // A mutation, so that a session that has ended leads to the login.
  const sending = useMutation({
    mutationFn: (sent: string) => sendEvents(JSON.parse(sent)),
    onMutate: () => setProblem(null),
    onError: (error, sent) => setProblem(sentenceOf(error, countDraft(sent))),
    onSuccess(ids, sent) {
      if (sent.length <= MAX_KEPT) localStorage.setItem(KEY, sent);
      keep(null);
      queryClient.invalidateQueries({ queryKey: ["events", "list"] });
      toast("done", ids.length === 1 ? "The event was sent." : `${ids.length} events were sent.`);
      // Whoever closed it meanwhile is somewhere else by now.
      if (!isOpen()) return;
      onClose();
      navigate({ to: "/events/$eventId", params: { eventId: ids[0]! }, search: true as never });
    },
  });
  const send = () => {
    if (count !== null && !sending.isPending) sending.mutate(text);
  };
  const cancel = () => {
    keep(null);
    onClose();
  };

  const wanted = useRef("");
  const beginWith = async (id: string) => {
    wanted.current = id;
    try {
      const event = await queryClient.fetchQuery(eventQuery(id));
      // Another one may have been chosen meanwhile.
      if (wanted.current === id) setText(JSON.stringify(sendable(event), null, 2));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };

  return (
    <Dialog
      title="Send event"
      description="One event, or an array of them. It is kept and triggers functions like any other."
      size="large"
      onClose={onClose}
      footer={
        <>
          {problem !== null && (
            <p role="alert" className="min-w-0 flex-1 text-failed">
              {problem}
            </p>
          )}
          <Button onClick={cancel}>Cancel</Button>
          <Button look="primary" disabled={count === null || sending.isPending} onClick={send}>
            {sending.isPending ? "Sending …" : count !== null && count > 1 ? `Send ${count} events` : "Send"}
            <Keys text="mod+enter" onAccent />
          </Button>
        </>
      }
    >
      <div
        className="flex flex-col gap-3"
        onKeyDownCapture={(event: KeyboardEvent) => {
          if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          event.stopPropagation();
          send();
        }}
      >
        {recent.length > 0 && (
          <Select
            label="Begin with"
            value=""
            onChange={(event) => {
              if (event.target.value !== "") void beginWith(event.target.value);
            }}
          >
            <option value="">A recent event …</option>
            {recent.map((event) => (
              <option key={event.id} value={event.id}>
                {event.name}
              </option>
            ))}
          </Select>
        )}
        <CodeEditor
          label="Event as JSON"
          language="json"
          value={text}
          onChange={setText}
          check={checkDraft}
          height="min(46vh, 380px)"
          autoFocus
        />
      </div>
    </Dialog>
  );
}

/** Of several events the one that was refused is named. */
function sentenceOf(error: Error, count: number | null): string {
  const index = error instanceof ApiError ? error.index : undefined;
  return index === undefined || count === 1 ? error.message : `Event ${index + 1}: ${error.message}`;
}

/** Asks whether the component is shown still. */
function useIsMounted(): () => boolean {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return () => mounted.current;
}

/** The newest event of each name, of the last day. */
function useRecentEvents(): EventRow[] {
  const { data } = useQuery(freshEventsQuery({}, "recent", () => ({ after: Date.now() - DAY_MS })));
  const byName = new Map<string, EventRow>();
  for (const event of data ?? []) if (!byName.has(event.name)) byName.set(event.name, event);
  return [...byName.values()];
}
