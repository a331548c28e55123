import { Lock } from "lucide-react";
import type { Key, KeyKind } from "../api/keys.ts";
import type { Column } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { Tooltip } from "../parts/tooltip.tsx";

/** A word in a frame, for what is worth a second look. */
export function Tag({ children }: { children: React.ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1 rounded border px-1.5 text-xs whitespace-nowrap text-muted">
      {children}
    </span>
  );
}

/** What sets a key apart from the others. */
export function KeyTags({ kind, item }: { kind: KeyKind; item: Key }) {
  const limited = [
    item.event_filter && "events",
    item.ip_filter && "addresses",
    item.rate_limit && "rate",
  ].filter(Boolean);
  return (
    <span className="inline-flex items-center gap-1">
      {item.source === "configuration" && (
        <Tooltip text="Comes from flags or variables of the service; it is changed there.">
          <span>
            <Tag>configuration</Tag>
          </span>
        </Tooltip>
      )}
      {item.signing === true && <Tag>signs</Tag>}
      {kind === "event" && limited.length > 0 && (
        <Tooltip text={`Limited: ${limited.join(", ")}`}>
          <span>
            <Tag>limited</Tag>
          </span>
        </Tooltip>
      )}
      {item.expires_at !== null && (
        <Tag>
          ends <Time at={item.expires_at} />
        </Tag>
      )}
    </span>
  );
}

/** Columns of the list of one kind. */
export function keyColumns(kind: KeyKind): Column<Key>[] {
  return [
    {
      id: "name",
      header: "Name",
      width: "minmax(110px, 1fr)",
      link: true,
      cell: ({ name, source }) => (
        <span className="font-medium">
          {source === "configuration" && (
            <>
              <Lock size={12} aria-hidden className="mr-1.5 inline align-[-1px] text-muted" />
              <span className="sr-only">locked </span>
            </>
          )}
          {name}
        </span>
      ),
    },
    {
      id: "hint",
      header: kind === "api" ? "Token" : "Key",
      width: "minmax(110px, 190px)",
      cell: ({ hint }) => <span className="font-mono text-xs">{hint}</span>,
    },
    ...(kind === "api" ? TOKEN_COLUMNS : []),
    {
      id: "tags",
      header: "",
      width: "minmax(120px, 1fr)",
      from: 560,
      cell: (item) => <KeyTags kind={kind} item={item} />,
    },
    {
      id: "creator",
      header: "Created by",
      width: "minmax(90px, 140px)",
      from: 860,
      cell: ({ created_by }) => created_by ?? <span className="text-muted">–</span>,
    },
    {
      id: "created",
      header: "Created",
      width: "84px",
      align: "right",
      from: 700,
      cell: ({ created_at }) =>
        created_at === null ? <span className="text-muted">–</span> : <Time at={created_at} />,
    },
    {
      id: "used",
      header: "Last used",
      width: "84px",
      align: "right",
      cell: ({ last_used_at }) =>
        last_used_at === null ? <span className="text-muted">never</span> : <Time at={last_used_at} />,
    },
  ];
}

const TOKEN_COLUMNS: Column<Key>[] = [
  {
    id: "scopes",
    header: "May",
    width: "minmax(110px, 160px)",
    from: 480,
    cell: ({ scopes }) => scopes?.join(", "),
  },
  {
    id: "environment",
    header: "Environment",
    width: "minmax(90px, 130px)",
    from: 640,
    cell: ({ environment }) => environment ?? <span className="text-muted">all</span>,
  },
];
