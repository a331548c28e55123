/**
 * The memory of a machine, kept and put back: what makes each call of a transform start in a realm that no call before
 * has touched. There is one image per worker, of the engine with its realm; a transform that has been loaded is kept as
 * the pages in which it differs from that image.
 */
import type { Machine } from "./quickjs.ts";

const PAGE = 4_096;

/** The engine before any transform was loaded. */
export interface Image {
  /** Bytes of the linear memory. */
  size: number;
  /** From the top of the stack to the last page in use. */
  bytes: Uint8Array;
  from: number;
  /** The last page of the memory: the allocator marks the end of what it has. */
  tail: Uint8Array;
}

/** A loaded transform, over an image. */
export interface Delta {
  size: number;
  /** Addresses of pages, ascending, and their bytes one after the other. */
  pages: number[];
  bytes: Uint8Array;
}

/**
 * Take memory from the host in advance, before the image is taken. What the allocator wrote where the reserve ended
 * means nothing after it is free again; left there, it would be in the image, which then were as large as the reserve.
 */
export function reserve(machine: Machine, bytes: number): void {
  const end = endOfUse(new Uint8Array(machine.memory.buffer), machine.stackTop);
  machine.reserve(bytes);
  const all = new Uint8Array(machine.memory.buffer);
  all.fill(0, end + PAGE, all.length - PAGE);
}

export function takeImage({ memory, stackTop }: Machine): Image {
  const all = new Uint8Array(memory.buffer);
  const tailAt = all.length - PAGE;
  const end = endOfUse(all, stackTop);
  return {
    size: all.length,
    from: stackTop,
    bytes: all.slice(stackTop, end),
    tail: all.slice(tailAt),
  };
}

/** What is in the memory now and was not in the image. What code left in memory that it freed is taken along. */
export function takeDelta({ memory }: Machine, image: Image): Delta {
  const all = Buffer.from(memory.buffer);
  const before = Buffer.from(image.bytes.buffer);
  const imageEnd = image.from + image.bytes.length;
  const tailAt = image.size - PAGE;
  let end = all.length;
  while (end > imageEnd && (end - PAGE === tailAt || isZero(all, end - PAGE))) end -= PAGE;
  const pages: number[] = [];
  for (let at = image.from; at < imageEnd; at += PAGE) {
    const offset = at - image.from;
    if (all.compare(before, offset, offset + PAGE, at, at + PAGE) !== 0) pages.push(at);
  }
  // Zeros count here: they may be the contents of a living buffer.
  for (let at = imageEnd; at < end; at += PAGE) pages.push(at);
  if (end <= tailAt) pages.push(tailAt);
  const bytes = new Uint8Array(pages.length * PAGE);
  for (let index = 0; index < pages.length; index++) {
    bytes.set(all.subarray(pages[index]!, pages[index]! + PAGE), index * PAGE);
  }
  return { size: all.length, pages, bytes };
}

/**
 * Put back what was there before: the image, over it the delta. The memory must not be larger than it was then.
 * @param wipe also what lies beyond: needed before another transform is loaded, and so that none finds the leftovers of
 * another webhook there
 */
export function restore(machine: Machine, image: Image, delta: Delta | null, wipe: boolean): void {
  const { memory } = machine;
  const size = delta?.size ?? image.size;
  if (memory.buffer.byteLength < size) memory.grow((size - memory.buffer.byteLength) / 65_536);
  const all = new Uint8Array(memory.buffer);
  all.set(image.bytes, image.from);
  if (wipe) {
    all.fill(0, 0, image.from);
    all.fill(0, image.from + image.bytes.length);
  }
  all.set(image.tail, image.size - PAGE);
  if (delta !== null) {
    const { pages, bytes } = delta;
    for (let index = 0; index < pages.length; index++) {
      all.set(bytes.subarray(index * PAGE, (index + 1) * PAGE), pages[index]!);
    }
  }
  machine.resetStack();
}

/** Behind the last page that is in use, not counting the one at the very end. */
function endOfUse(all: Uint8Array, from: number): number {
  let end = all.length - PAGE;
  while (end > from && isZero(all, end - PAGE)) end -= PAGE;
  return end;
}

const ZEROS = Buffer.alloc(PAGE);

function isZero(all: Uint8Array, at: number): boolean {
  return ZEROS.compare(all, at, at + PAGE) === 0;
}
