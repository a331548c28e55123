import { type ComponentType, createElement, use } from "react";

/**
 * A page that is loaded when it is first shown. When that fails the page says so: the router's own way is to load the
 * window anew, which leaves the reader on an error page of the browser while the service is away.
 * @example lazyPage(async () => (await import("./events/events-page.tsx")).EventsPage)
 */
export function lazyPage(load: () => Promise<ComponentType>) {
  let page: ComponentType | undefined;
  let loading: Promise<void> | undefined;
  let failure: unknown;
  const preload = (): Promise<void> => {
    loading ??= load()
      .then(
        (loaded) => {
          page = loaded;
          failure = undefined;
        },
        (error) => {
          failure = error;
        },
      )
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each route, at the module's top
  function LazyPage() {
    if (page === undefined && failure !== undefined) {
      const told = failure;
      // Whoever comes back to the page has it tried again.
      queueMicrotask(() => {
        failure = undefined;
      });
      throw told;
    }
    if (page === undefined) use(preload());
    return page === undefined ? null : createElement(page);
  }
  return Object.assign(LazyPage, { preload });
}
