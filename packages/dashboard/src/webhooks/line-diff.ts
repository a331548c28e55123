/** What changed between two texts, line by line. */

export interface DiffLine {
  kind: "same" | "removed" | "added";
  text: string;
  /** Numbers of the line in the two texts, from 1; null where it does not stand. */
  before: number | null;
  after: number | null;
}

/** Beyond so many changed lines the shortest way is not looked for: all old ones go, all new ones come. */
const MAX_CHANGES = 1_000;

/**
 * The shortest list of lines removed and added that makes `after` of `before`, with those that stay.
 * @example diffLines("a\nb", "a\nc").map(({ kind, text }) => kind + " " + text) // ["same a", "removed b", "added c"]
 */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  ) {
    end++;
  }
  const middle = pathThrough(a.slice(start, a.length - end), b.slice(start, b.length - end));

  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  const same = (count: number) => {
    for (let n = 0; n < count; n++) lines.push({ kind: "same", text: a[i]!, before: ++i, after: ++j });
  };
  same(start);
  for (const kind of middle) {
    if (kind === "same") same(1);
    else if (kind === "removed") lines.push({ kind, text: a[i]!, before: ++i, after: null });
    else lines.push({ kind, text: b[j]!, before: null, after: ++j });
  }
  same(end);
  return lines;
}

/** Myers' greedy walk: after d changes, how far down `a` one can be on each diagonal. */
function pathThrough(a: string[], b: string[]): DiffLine["kind"][] {
  const most = Math.min(a.length + b.length, MAX_CHANGES);
  let reach = new Map<number, number>([[1, 0]]);
  const trail: Map<number, number>[] = [];
  for (let d = 0; d <= most; d++) {
    const next = new Map<number, number>();
    for (let k = -d; k <= d; k += 2) {
      let x = comesDown(reach, k, d) ? reach.get(k + 1)! : reach.get(k - 1)! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, [...trail, reach]);
    }
    trail.push(reach);
    reach = next;
  }
  return [...a.map(() => "removed" as const), ...b.map(() => "added" as const)];
}

/** Whether the walk comes to diagonal `k` by adding a line rather than by removing one. */
function comesDown(reach: Map<number, number>, k: number, d: number): boolean {
  return k === -d || (k !== d && reach.get(k - 1)! < reach.get(k + 1)!);
}

function walkBack(a: string[], b: string[], trail: Map<number, number>[]): DiffLine["kind"][] {
  const kinds: DiffLine["kind"][] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trail.length - 1; d >= 0; d--) {
    const reach = trail[d]!;
    const down = comesDown(reach, x - y, d);
    const fromK = down ? x - y + 1 : x - y - 1;
    const fromX = reach.get(fromK)!;
    const fromY = fromX - fromK;
    // After the change of this step the lines were the same; before the first change, too.
    const [changedX, changedY] = d === 0 ? [0, 0] : down ? [fromX, fromY + 1] : [fromX + 1, fromY];
    for (; x > changedX && y > changedY; x--, y--) kinds.push("same");
    if (d > 0) kinds.push(down ? "added" : "removed");
    [x, y] = [fromX, fromY];
  }
  return kinds.reverse();
}

export interface Hunk {
  /** Unchanged lines left out before it. */
  skipped: number;
  lines: DiffLine[];
}

/** The changes with some lines around each. @param context unchanged lines kept before and after */
export function hunksOf(lines: readonly DiffLine[], context = 3): { hunks: Hunk[]; rest: number } {
  const near = new Uint8Array(lines.length);
  for (const [at, { kind }] of lines.entries()) {
    if (kind !== "same") near.fill(1, Math.max(0, at - context), at + context + 1);
  }
  const hunks: Hunk[] = [];
  let skipped = 0;
  for (const [at, line] of lines.entries()) {
    if (near[at] === 0) {
      skipped++;
      continue;
    }
    if (hunks.length === 0 || skipped > 0) hunks.push({ skipped, lines: [] });
    hunks.at(-1)!.lines.push(line);
    skipped = 0;
  }
  return { hunks, rest: skipped };
}
