import { absoluteTime, Time } from "./time.tsx";

/** A moment in full, and how long ago it was. */
export function Moment({ at }: { at: string }) {
  return (
    <span>
      <span className="tabular">{absoluteTime(Date.parse(at))}</span>{" "}
      <span className="text-muted">
        (<Time at={at} />)
      </span>
    </span>
  );
}
