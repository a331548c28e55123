/** Fields of forms and filters, 28 px high. Each has a label, to be seen or to be heard. */
import { ChevronDown } from "lucide-react";
import type {
  InputHTMLAttributes,
  ReactNode,
  Ref,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from "react";
import { useId } from "react";
import { classNames } from "./class-names.ts";

const FIELD =
  "h-7 w-full rounded-md border border-line-strong bg-page px-2 text-sm text-text placeholder:text-muted focus-visible:outline-offset-0 disabled:opacity-50 aria-invalid:border-failed";

interface LabelledProps {
  label: string;
  /** Only for those who listen: the place says what it is. */
  hiddenLabel?: boolean | undefined;
  /** Below the field, muted. */
  hint?: ReactNode;
  /** Below the field, in red; the field is marked. */
  error?: string | undefined;
}

interface InputProps extends LabelledProps, Omit<InputHTMLAttributes<HTMLInputElement>, "id"> {
  ref?: Ref<HTMLInputElement>;
  /** Stands in the field, at its left. */
  icon?: ReactNode;
}

/** A line of text. */
export function Input({ icon, ...props }: InputProps) {
  const { labelled, field } = useLabelled(props);
  return (
    <Labelled {...labelled}>
      <span className="relative block">
        {icon !== undefined && (
          <span className="pointer-events-none absolute inset-y-0 left-2 flex items-center text-muted">
            {icon}
          </span>
        )}
        <input
          autoComplete="off"
          spellCheck={false}
          {...field}
          className={classNames(FIELD, icon !== undefined && "pl-7")}
        />
      </span>
    </Labelled>
  );
}

interface TextAreaProps extends LabelledProps, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id"> {}

/** Lines of text, in mono: lists and code. */
export function TextArea(props: TextAreaProps) {
  const { labelled, field } = useLabelled(props);
  return (
    <Labelled {...labelled}>
      <textarea
        rows={3}
        autoComplete="off"
        spellCheck={false}
        {...field}
        className={classNames(FIELD, "block h-auto min-h-14 resize-y py-1 font-mono !text-xs")}
      />
    </Labelled>
  );
}

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "type"> {
  label: ReactNode;
  hint?: ReactNode;
}

/** Yes or no. */
export function Checkbox({ label, hint, className = "", ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <div className={classNames("flex items-start gap-2", className)}>
      <input
        {...rest}
        type="checkbox"
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-more`}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-more`} className="text-xs text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

interface SelectProps extends LabelledProps, Omit<SelectHTMLAttributes<HTMLSelectElement>, "id"> {}

/** One of a few; the system's own list, which every keyboard and phone knows. */
export function Select({ children, ...props }: SelectProps) {
  const { labelled, field } = useLabelled(props);
  return (
    <Labelled {...labelled}>
      <span className="relative block">
        <select {...field} className={classNames(FIELD, "appearance-none truncate !pr-7")}>
          {children}
        </select>
        <ChevronDown
          size={12}
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-muted"
        />
      </span>
    </Labelled>
  );
}

interface WrapperProps extends LabelledProps {
  id: string;
  className: string | undefined;
}

/** What of a field's properties is about its label, and what the field itself takes. */
function useLabelled<P extends LabelledProps & { className?: string | undefined }>(props: P) {
  const { label, hiddenLabel, hint, error, className, ...rest } = props;
  const id = useId();
  const labelled: WrapperProps = { id, label, hiddenLabel, hint, error, className };
  const field = {
    ...rest,
    id,
    "aria-invalid": error !== undefined || undefined,
    "aria-describedby": error !== undefined || hint !== undefined ? `${id}-more` : undefined,
  };
  return { labelled, field };
}

function Labelled(props: WrapperProps & { children: ReactNode }) {
  const { id, label, hiddenLabel = false, hint, error, className, children } = props;
  return (
    <div className={className}>
      <label htmlFor={id} className={hiddenLabel ? "sr-only" : "mb-1 block font-medium"}>
        {label}
      </label>
      {children}
      {(error !== undefined || hint !== undefined) && (
        <p
          id={`${id}-more`}
          className={classNames("mt-1 text-xs", error === undefined ? "text-muted" : "text-failed")}
        >
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
