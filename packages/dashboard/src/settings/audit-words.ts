/** Actions of the audit log as sentences. */

const KINDS: Record<string, string> = {
  user: "person",
  session: "session",
  invitation: "invitation",
  password_reset: "password reset link",
  environment: "environment",
  webhook: "webhook",
  event_key: "event key",
  signing_key: "signing key",
  api_token: "API token",
};

/** Kinds of action that can be asked for, as the API takes them. */
export const ACTION_FILTERS: [value: string, text: string][] = Object.entries(KINDS).map(([kind, word]) => [
  `${kind}.*`,
  `Anything about a ${word}`.replace(/a ([aeiouA])/, "an $1"),
]);

/** @example actionText("event_key.rotated") // "rotated the event key" */
export function actionText(action: string): string {
  if (action === "session.created") return "logged in";
  if (action === "session.refused") return "logins were refused";
  if (action === "user.password_changed") return "set a new password of";
  const [kind = "", what = ""] = action.split(".");
  return `${what.replaceAll("_", " ")} the ${KINDS[kind] ?? kind.replaceAll("_", " ")}`;
}

/** One field that differs between before and after. */
export interface FieldChange {
  field: string;
  before: string | null;
  after: string | null;
}

/** The fields of both sides, sorted; values as JSON, texts as they are. */
export function fieldChanges(
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
): FieldChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].sort().map((field) => ({
    field,
    before: shown(before?.[field]),
    after: shown(after?.[field]),
  }));
}

function shown(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
