import { Link } from "@tanstack/react-router";
import { shortId } from "../parts/id.tsx";

/** The way to another run, by its id. */
export function RunLink({ id }: { id: string }) {
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: id }}
      title={id}
      className="font-mono text-xs text-accent hover:underline"
    >
      {shortId(id)}
    </Link>
  );
}
