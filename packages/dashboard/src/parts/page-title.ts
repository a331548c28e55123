import { useEffect } from "react";

/** Says in the browser's tab which page this is; nothing when there is no text for it. */
export function usePageTitle(title: unknown): void {
  useEffect(() => {
    if (typeof title === "string") document.title = `${title} · svc`;
  }, [title]);
}
