/** Puts the newest rows of the inbox and those that were read before into one list. */

/** The newest rows, read again while somebody looks. */
export const FRESH_ROWS = 50;

/**
 * Rows without doubles, newest first, each as it was read last. Ids sort by time.
 * @example mergeRequests([{ id: "2", status: "accepted" }], [{ id: "2", status: "pending" }, { id: "1" }])
 */
export function mergeRequests<Row extends { id: string }>(
  fresh: readonly Row[],
  listed: readonly Row[],
): Row[] {
  const byId = new Map([...listed, ...fresh].map((row) => [row.id, row]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}

/** Whether rows may lie between the newest ones and those read before. */
export function leavesGap(fresh: readonly { id: string }[], listed: readonly { id: string }[]): boolean {
  return fresh.length >= FRESH_ROWS && listed.length > 0 && fresh.at(-1)!.id > listed[0]!.id;
}
