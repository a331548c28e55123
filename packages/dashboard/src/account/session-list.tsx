import type { Session } from "../api/sessions.ts";
import { Button } from "../parts/button.tsx";
import { Time } from "../parts/time.tsx";

const BROWSERS: [name: string, sign: RegExp][] = [
  ["Edge", /\bEdg\w*\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\bFirefox\//],
  ["Chrome", /Chrom(e|ium)\//],
  ["Safari", /\bSafari\//],
];
const SYSTEMS: [name: string, sign: RegExp][] = [
  ["Android", /Android/],
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X|Macintosh/],
  ["Linux", /Linux|X11/],
];

/** @example agentText("Mozilla/5.0 (X11; Linux x86_64) … Chrome/140.0 Safari/537.36") // "Chrome on Linux" */
export function agentText(agent: string | null): string {
  if (agent === null || agent === "") return "Unknown program";
  const browser = BROWSERS.find(([, sign]) => sign.test(agent))?.[0];
  const system = SYSTEMS.find(([, sign]) => sign.test(agent))?.[0];
  if (browser === undefined) return agent.split(" ")[0]!;
  return system === undefined ? browser : `${browser} on ${system}`;
}

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
              {session.current && <span className="text-completed"> · this one</span>}
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
