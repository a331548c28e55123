/**
 * Jobs that wait, a lane for each webhook. Lanes are served in turn, so a webhook with a thousand jobs takes no more of
 * a thread than one with ten. Lanes of slow webhooks, and of those that nothing is known of yet, are rings of their own, so
 * that they meet only each other.
 */

export type Pace = "fast" | "new" | "slow";

export interface Schedule<T> {
  /** Put a job at the end of its lane, or at the front when it had its turn already. */
  add(lane: string, pace: Pace, item: T, bytes: number, atFront?: boolean): void;
  /** The next job of the lane whose turn it is. */
  take(pace: Pace): T | undefined;
  /** More is known of a lane. */
  move(lane: string, pace: Pace): void;
  /** Take everything out of a lane. */
  empty(lane: string): T[];
  /** How many jobs of a lane wait, and their bytes. */
  waiting(lane: string): { count: number; bytes: number };
  count(pace?: Pace): number;
  bytes(): number;
}

interface Lane<T> {
  name: string;
  pace: Pace;
  items: { item: T; bytes: number }[];
  /** Place of the next item: taking from the front of an array copies it. */
  head: number;
  bytes: number;
}

export function createSchedule<T>(): Schedule<T> {
  const lanes = new Map<string, Lane<T>>();
  /** Lanes with jobs, in the order of their turns. */
  const rings: Record<Pace, Map<string, Lane<T>>> = { fast: new Map(), new: new Map(), slow: new Map() };
  const counts: Record<Pace, number> = { fast: 0, new: 0, slow: 0 };
  let allBytes = 0;

  const remove = (lane: Lane<T>) => {
    lanes.delete(lane.name);
    rings[lane.pace].delete(lane.name);
  };

  return {
    add(name, pace, item, bytes, atFront = false) {
      let lane = lanes.get(name);
      if (lane === undefined) {
        lane = { name, pace, items: [], head: 0, bytes: 0 };
        lanes.set(name, lane);
        rings[pace].set(name, lane);
      }
      if (!atFront) lane.items.push({ item, bytes });
      else if (lane.head > 0) lane.items[--lane.head] = { item, bytes };
      else lane.items.unshift({ item, bytes });
      lane.bytes += bytes;
      allBytes += bytes;
      counts[lane.pace]++;
    },
    take(pace) {
      const [lane] = rings[pace].values();
      if (lane === undefined) return undefined;
      const { item, bytes } = lane.items[lane.head++]!;
      lane.bytes -= bytes;
      allBytes -= bytes;
      counts[pace]--;
      if (lane.head === lane.items.length) remove(lane);
      else {
        if (lane.head >= 256) {
          lane.items = lane.items.slice(lane.head);
          lane.head = 0;
        }
        rings[pace].delete(lane.name);
        rings[pace].set(lane.name, lane);
      }
      return item;
    },
    move(name, pace) {
      const lane = lanes.get(name);
      if (lane === undefined || lane.pace === pace) return;
      const count = lane.items.length - lane.head;
      counts[lane.pace] -= count;
      counts[pace] += count;
      rings[lane.pace].delete(name);
      lane.pace = pace;
      rings[pace].set(name, lane);
    },
    empty(name) {
      const lane = lanes.get(name);
      if (lane === undefined) return [];
      remove(lane);
      allBytes -= lane.bytes;
      const rest = lane.items.slice(lane.head);
      counts[lane.pace] -= rest.length;
      return rest.map(({ item }) => item);
    },
    waiting(name) {
      const lane = lanes.get(name);
      return lane === undefined
        ? { count: 0, bytes: 0 }
        : { count: lane.items.length - lane.head, bytes: lane.bytes };
    },
    count: (pace) => (pace === undefined ? counts.fast + counts.new + counts.slow : counts[pace]),
    bytes: () => allBytes,
  };
}
