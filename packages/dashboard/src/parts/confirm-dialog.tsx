import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Input } from "./field.tsx";
import { FormProblem } from "./form-problem.tsx";

interface ConfirmDialogProps {
  title: string;
  /** What will happen, and what will not. */
  children: ReactNode;
  /** The button that does it: a verb. */
  action: string;
  danger?: boolean;
  /** Has to be typed first, for what cannot be undone. */
  typed?: string;
  onConfirm(): Promise<unknown>;
  /** When it is done, and when it is called off. */
  onClose(): void;
}

/** Asks before something is done that people may regret. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, danger = false, typed, onConfirm, onClose } = props;
  const [text, setText] = useState("");
  const doing = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look={danger ? "danger" : "primary"}
            disabled={doing.isPending || (typed !== undefined && text !== typed)}
            onClick={() => doing.mutate()}
          >
            {action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {children}
        {typed !== undefined && (
          <Input
            label={`Type ${typed} to confirm`}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <FormProblem error={doing.error} />
      </div>
    </Dialog>
  );
}
