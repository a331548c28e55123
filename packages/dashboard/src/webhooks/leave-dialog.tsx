import { useBlocker } from "@tanstack/react-router";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";

/**
 * Asks before a page with unsaved work is left, by a link, the history, or closing the window.
 * @param unsaved what it is: `transform`
 */
export function LeaveDialog({ unsaved, onLeave }: { unsaved: readonly string[]; onLeave(): void }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved.length > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved.length > 0,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <Dialog
      title="Leave without saving?"
      description={`Changes of the ${unsaved.join(" and ")} are not saved.`}
      onClose={reset}
      footer={
        <>
          <Button
            look="danger"
            onClick={() => {
              onLeave();
              proceed();
            }}
          >
            Leave, and lose them
          </Button>
          <Button look="primary" autoFocus onClick={reset}>
            Stay
          </Button>
        </>
      }
    >
      <p>Stay to save them. A transform is tried on the last requests before it is used.</p>
    </Dialog>
  );
}
