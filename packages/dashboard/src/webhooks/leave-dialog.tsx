import { useBlocker } from "@tanstack/react-router";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";

/** Asks before a page with unsaved work is left, by a link, the history, or closing the window. */
export function LeaveDialog({ unsaved }: { unsaved: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <Dialog
      title="Leave without saving?"
      description="The transform has changes that are not saved."
      onClose={reset}
      footer={
        <>
          <Button look="danger" onClick={proceed}>
            Leave, and lose them
          </Button>
          <Button look="primary" autoFocus onClick={reset}>
            Stay
          </Button>
        </>
      }
    >
      <p>Save them as a new version to keep them. They are tried on the last requests before.</p>
    </Dialog>
  );
}
