import type { User } from "../api/me.ts";
import { capital } from "../keys/key-words.ts";
import type { Column } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";

/** @param own id of whoever looks, if they are a person */
export function personColumns(own: string | undefined): Column<User>[] {
  return [
    {
      id: "name",
      header: "Name",
      width: "minmax(120px, 1fr)",
      link: true,
      cell: ({ id, name }) => (
        <>
          <span className="font-medium">{name}</span>
          {id === own && <span className="text-muted"> · you</span>}
        </>
      ),
    },
    {
      id: "email",
      header: "E-mail address",
      width: "minmax(140px, 2fr)",
      from: 480,
      cell: ({ email }) => email,
    },
    { id: "role", header: "Role", width: "80px", cell: ({ role }) => capital(role) },
    {
      id: "created",
      header: "Joined",
      width: "84px",
      align: "right",
      from: 640,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
    {
      id: "seen",
      header: "Last seen",
      width: "84px",
      align: "right",
      cell: ({ last_seen_at }) =>
        last_seen_at === null ? <span className="text-muted">never</span> : <Time at={last_seen_at} />,
    },
  ];
}
