/** A binary heap of what is due, soonest first; what is due at the same time keeps the order of its ids. */
export interface Due {
  id: string;
  dueAt: number;
}

export interface DueHeap<T extends Due> {
  readonly size: number;
  peek(): T | undefined;
  push(item: T): void;
  pop(): T | undefined;
}

/** @example const heap = createDueHeap(); heap.push({ id: "a", dueAt: 1 }); heap.pop(); */
export function createDueHeap<T extends Due>(): DueHeap<T> {
  const heap: T[] = [];
  const before = (a: T, b: T) => a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.id < b.id);
  return {
    get size() {
      return heap.length;
    },
    peek: () => heap[0],
    push(item) {
      let at = heap.length;
      heap.push(item);
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!before(item, heap[parent]!)) break;
        heap[at] = heap[parent]!;
        at = parent;
      }
      heap[at] = item;
    },
    pop() {
      const top = heap[0];
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return top;
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
        if (!before(heap[child]!, last)) break;
        heap[at] = heap[child]!;
        at = child;
      }
      heap[at] = last;
      return top;
    },
  };
}
