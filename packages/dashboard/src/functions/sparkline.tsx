interface SparklineProps {
  /** Runs and of them those that failed, oldest first. */
  buckets: readonly (readonly [count: number, failed: number])[];
  label: string;
}

const WIDTH = 96;
const HEIGHT = 22;

/** Runs over time as small as a word; failed ones are red. */
export function Sparkline({ buckets, label }: SparklineProps) {
  const highest = Math.max(1, ...buckets.map(([count]) => count));
  const slot = WIDTH / Math.max(1, buckets.length);
  // One among ten thousand is still to be seen.
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, (count / highest) * HEIGHT));
  return (
    <svg role="img" aria-label={label} width={WIDTH} height={HEIGHT} className="block">
      <line x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-line" />
      {buckets.map(([count, failed], at) => {
        if (count === 0) return null;
        const bad = heightOf(failed);
        const good = Math.max(0, heightOf(count) - bad);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: buckets have no other name than their place
          <g key={at}>
            <rect
              x={at * slot}
              y={HEIGHT - bad - good}
              width={slot - 1}
              height={good}
              className="fill-accent"
            />
            <rect x={at * slot} y={HEIGHT - bad} width={slot - 1} height={bad} className="fill-failed" />
          </g>
        );
      })}
    </svg>
  );
}
