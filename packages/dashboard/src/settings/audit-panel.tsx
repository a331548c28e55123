import { Link } from "@tanstack/react-router";
import type { AuditEntry } from "../api/settings.ts";
import { Id } from "../parts/id.tsx";
import { Moment } from "../parts/moment.tsx";
import { Facts, PanelSection, SidePanel } from "../parts/side-panel.tsx";
import { actionText, fieldChanges } from "./audit-words.ts";

/** One change: who, what, from where, and what it was before. */
export function AuditPanel({ entry, onClose }: { entry: AuditEntry; onClose(): void }) {
  const { actor, action, target, address, environment, before, after } = entry;
  const changes = fieldChanges(before, after);
  return (
    <SidePanel
      label={`Change ${action}`}
      onClose={onClose}
      title={
        <h2 className="truncate font-semibold">
          {actor.name} {actionText(action)}
        </h2>
      }
    >
      <PanelSection title="What changed">
        {changes.length === 0 ? (
          <p className="text-muted">No fields are written down for this action.</p>
        ) : (
          <table className="w-full table-fixed border-collapse text-left">
            <thead className="text-xs text-muted">
              <tr className="border-b">
                <th className="w-1/4 py-1 pr-3 font-normal">Field</th>
                <th className="py-1 pr-3 font-normal">Before</th>
                <th className="py-1 font-normal">After</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ field, before: was, after: is }) => (
                <tr key={field} className="border-b align-top last:border-b-0">
                  <th className="py-1.5 pr-3 font-mono text-xs font-normal break-words">{field}</th>
                  <td className="py-1.5 pr-3">
                    <Value text={was} sign="−" color="text-failed" />
                  </td>
                  <td className="py-1.5">
                    <Value text={is} sign="+" color="text-completed" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </PanelSection>
      <PanelSection title="Change">
        <Facts
          facts={[
            ["When", <Moment key="at" at={entry.at} />],
            ["Action", <Filter key="action" name="action" value={action} text={action} />],
            [
              "Who",
              <span key="who">
                <Filter name="actor" value={actor.id ?? actor.name} text={actor.name} />{" "}
                <span className="text-muted">({actor.kind})</span>
              </span>,
            ],
            ["From", address === null ? "the service itself" : <code key="from">{address}</code>],
            ["Environment", environment ?? <span className="text-muted">the whole service</span>],
            [
              "Done to",
              <span key="target">
                {target.kind.replaceAll("_", " ")}{" "}
                <Filter name="target" value={target.id} text={target.name ?? target.id} />
              </span>,
            ],
            ["Target's id", <Id key="target-id" id={target.id} whole />],
            ["Entry", <Id key="id" id={entry.id} whole />],
          ]}
        />
      </PanelSection>
    </SidePanel>
  );
}

function Value({ text, sign, color }: { text: string | null; sign: string; color: string }) {
  if (text === null) return <span className="text-muted">–</span>;
  return (
    <span className="flex gap-1.5">
      <span aria-hidden className={`shrink-0 font-mono text-xs ${color}`}>
        {sign}
      </span>
      <code className="max-h-60 min-w-0 overflow-auto text-xs break-words whitespace-pre-wrap">{text}</code>
    </span>
  );
}

/** Leads to all changes of the same. */
function Filter({ name, value, text }: { name: "actor" | "action" | "target"; value: string; text: string }) {
  return (
    <Link
      to="/settings"
      search={((before: object) => ({ ...before, [name]: value, entry: undefined })) as never}
      title="All changes like this"
      className="text-accent underline underline-offset-2"
    >
      {text}
    </Link>
  );
}
