/** Names and values of a header or a query, in mono. */
export function Pairs({ pairs }: { pairs: [string, string][] }) {
  if (pairs.length === 0) return <p className="text-muted">There are none.</p>;
  return (
    <dl className="grid grid-cols-[minmax(7rem,12rem)_minmax(0,1fr)] gap-x-3 font-mono text-xs">
      {pairs.map(([name, value], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a query may have a name twice
        <div key={at} className="contents">
          <dt className="py-0.5 break-words text-muted">{name}</dt>
          <dd className="min-w-0 py-0.5 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
