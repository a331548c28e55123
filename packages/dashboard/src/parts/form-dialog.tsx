import { type FormEvent, type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { FormProblem } from "./form-problem.tsx";

interface FormDialogProps {
  title: string;
  /** One sentence below the title. */
  description?: ReactNode;
  /** What the button says that sends it. */
  action: string;
  /** It was sent and not answered yet. */
  busy: boolean;
  /** What the API said of it; shown below, unless it is about one of the fields. */
  error: unknown;
  /** Fields that tell of their own problems. */
  fields: readonly string[];
  onSubmit(form: FormData): void;
  onClose(): void;
  children: ReactNode;
}

/** A dialog with fields, and the buttons to send or leave them. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, action, busy, error, fields, onSubmit, onClose, children } = props;
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} look="primary" disabled={busy}>
            {action}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} className="flex flex-col gap-4">
        {children}
        <FormProblem error={error} fields={[...fields]} />
      </form>
    </Dialog>
  );
}
