/** Links that let somebody in once, whose they are, and the ways into the audit log. */
export const name = "people";

export function up(): string[] {
  return [
    // A link that resets a password is an invitation to somebody who is here already.
    "ALTER TABLE invitations ADD COLUMN user_id TEXT",
    // Whoever made a link and then lost the right to make it must not have it left.
    "ALTER TABLE invitations ADD COLUMN created_by_id TEXT",
    "CREATE INDEX audit_log_actor ON audit_log (actor_id, id)",
    "CREATE INDEX audit_log_actor_name ON audit_log (actor_name, id)",
    "CREATE INDEX audit_log_action ON audit_log (action, id)",
    "CREATE INDEX audit_log_target ON audit_log (target_id, id)",
  ];
}
