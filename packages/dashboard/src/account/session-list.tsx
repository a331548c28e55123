import type { Session } from "../api/sessions.ts";
import { Button } from "../parts/button.tsx";
import { Time } from "../parts/time.tsx";
import { agentText } from "./agent-text.ts";

interface SessionListProps {
  sessions: readonly Session[];
  /** Ends one; null where nobody may. */
  onEnd: ((session: Session) => void) | null;
}

/** Sessions of a person, the one used last first. */
export function SessionList({ sessions, onEnd }: SessionListProps) {
  if (sessions.length === 0) return <p className="text-muted">Logged in nowhere.</p>;
  return (
    <ul className="rounded-md border">
      {sessions.map((session) => (
        <li key={session.id} className="flex items-center gap-3 border-b px-3 py-2 last:border-b-0">
          <div className="min-w-0 flex-1">
            <p className="truncate" title={session.user_agent ?? undefined}>
              <span className="font-medium">{agentText(session.user_agent)}</span>
              {session.current && <span className="text-muted"> · this one</span>}
            </p>
            <p className="text-muted">
              <span className="font-mono text-xs">{session.address ?? "unknown address"}</span> · used{" "}
              <Time at={session.last_seen_at} />
            </p>
          </div>
          {onEnd !== null && !session.current && (
            <Button
              aria-label={`End the session ${agentText(session.user_agent)}`}
              onClick={() => onEnd(session)}
            >
              End
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
