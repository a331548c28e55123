/** Tests of the pages of runs and functions: a real service with a real app, and one browser, for each file. */
import { pageTests, pathsOf } from "./page-tests.ts";
import { startWorkshop, type Workshop } from "./workshop.ts";

/** `svc dev`, and an app whose runs take every way. */
export let works: Workshop;

export const worksTest = pageTests({
  start: async () => {
    works = await startWorkshop();
    return [works];
  },
  opening: pathsOf(() => works.service.url),
});
