import type { Page, Run } from "../api/types.ts";

/**
 * The rows of the list, newest first. As far as the fresh page reaches it says what is there: a run that no longer fits
 * a filter is gone from it. What is older comes from the list.
 * @param fresh the newest runs, read a moment ago
 * @param listed newest first, page by page
 */
export function mergeRuns(fresh: Page<Run> | undefined, listed: readonly Run[]): Run[] {
  if (fresh === undefined) return [...listed];
  const newest = fresh.data[0];
  const oldest = fresh.data.at(-1);
  const newer = newest === undefined ? [] : listed.filter(({ id }) => id > newest.id);
  if (!fresh.page.has_more) return [...newer, ...fresh.data];
  if (oldest === undefined) return [...listed];
  return [...newer, ...fresh.data, ...listed.filter(({ id }) => id < oldest.id)];
}

/** Whether so much came between two looks that runs are missing between the fresh page and the list. */
export function hasGap(fresh: Page<Run> | undefined, listed: readonly Run[]): boolean {
  const oldest = fresh?.data.at(-1);
  return fresh?.page.has_more === true && oldest !== undefined && listed[0] !== undefined
    ? listed[0].id < oldest.id
    : false;
}
