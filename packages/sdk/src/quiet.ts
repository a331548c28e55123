/**
 * Waiting until a handler can get no further on its own: all microtasks have run. One macrotask says so,
 * because every queued microtask (and every one it queues) runs before it. A timer would do as well but costs
 * a millisecond per wait; `setImmediate` costs about a microsecond. Taken at load, so that fake timers of a
 * test cannot stop the engine.
 */
type Macrotask = (callback: () => void) => void;

const macrotask: Macrotask = chooseMacrotask();

/** Resolves once all microtasks that are queued now, and those they queue, have run. */
export function microtasksDrained(): Promise<void> {
  return new Promise((resolve) => macrotask(resolve));
}

function chooseMacrotask(): Macrotask {
  const { setImmediate, MessageChannel, setTimeout } = globalThis;
  if (typeof setImmediate === "function") return (callback) => void setImmediate(callback);
  if (typeof MessageChannel !== "function") return (callback) => void setTimeout(callback, 0);
  return (callback) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      callback();
    };
    port2.postMessage(null);
  };
}
