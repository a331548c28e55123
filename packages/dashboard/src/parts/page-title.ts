import { useEffect } from "react";

/** What the page is, and what is open on it: the latter is said first. */
type Part = "page" | "open";

const shown: Record<Part, string[]> = { page: [], open: [] };

/**
 * Says in the browser's tab which page this is; nothing when there is no text for it.
 * @param part `open` for one thing that is shown on a page: `Event order/placed · Events · svc`
 */
export function usePageTitle(title: unknown, part: Part = "page"): void {
  useEffect(() => {
    if (typeof title !== "string") return;
    shown[part].push(title);
    writeTitle();
    return () => {
      shown[part].splice(shown[part].indexOf(title), 1);
      writeTitle();
    };
  }, [title, part]);
}

/** Of several of a kind the newest counts. */
function writeTitle(): void {
  const parts = [shown.open.at(-1), shown.page.at(-1), "svc"];
  document.title = parts.filter((text) => text !== undefined).join(" · ");
}
