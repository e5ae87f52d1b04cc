import { CircleAlert, TriangleAlert } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId, useState } from 'react';
import { cx } from './cx.ts';

interface FieldContextValue {
  /** Takes the message about a text that cannot be read, which the field shows in place of its error. */
  report: (message: string | undefined) => void;
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
}

export const FieldContext = createContext<FieldContextValue | null>(null);

interface ControlAttributes {
  id?: string | undefined;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
  'aria-required'?: true | undefined;
}

/**
 * The attributes that connect an input to the `Field` around it: label, help, error and required mark. The caller's
 * attributes take precedence. Outside a `Field` the input needs an aria-label.
 */
export function useFieldControl(own: {
  id?: string | undefined;
  'aria-describedby'?: string | undefined;
}): ControlAttributes {
  const field = useContext(FieldContext);
  if (!field) return { id: own.id, 'aria-describedby': own['aria-describedby'] };
  return {
    id: own.id ?? field.id,
    'aria-describedby': [own['aria-describedby'], field.describedBy].filter(Boolean).join(' ') || undefined,
    'aria-invalid': field.invalid || undefined,
    'aria-required': field.required || undefined,
  };
}

interface FieldProps {
  label: string;
  /** Shows the asterisk and sets aria-required. The browser does not check it, because forms are noValidate (D084). */
  required?: boolean | undefined;
  help?: ReactNode;
  /** The message under the input. If there is one, the input is aria-invalid. */
  error?: string | undefined;
  /**
   * A hint that a value may be wrong although it is accepted, with a button that puts in another. Null while there is none: then the region exists, so
   * that the hint is announced when it appears.
   */
  warning?: ReactNode;
  /** Only needed if an element outside refers to the input. */
  id?: string | undefined;
  /** Hides the label visually, but not for screen readers (filters, search). */
  labelHidden?: boolean;
  /** Takes the full width in a `DialogSection` of two columns. */
  wide?: boolean;
  className?: string;
  /** An input of this folder; it reads its ids from the context. */
  children: ReactNode;
}

/** The error message of a field. */
export const ErrorText = ({ id, children }: { id: string; children: string }) => (
  <p id={id} className="flex items-start gap-1.5 text-xs text-critical-text">
    <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
    <span>{children}</span>
  </p>
);

/** Rendered with CSS and hidden from screen readers, so that the label's text and the input's name do not change. */
const REQUIRED_MARK = "after:ml-0.5 after:text-critical-text after:content-['*'/'']";

/** A label, an input, its help, error and warning, connected for screen readers. */
export function Field({
  label,
  required,
  help,
  error: given,
  warning,
  id,
  labelHidden,
  wide,
  className,
  children,
}: FieldProps) {
  const [unread, report] = useState<string>();
  const error = unread ?? given;
  const generatedId = useId();
  const controlId = id ?? generatedId;
  const errorId = `${controlId}-error`;
  const helpId = `${controlId}-help`;
  const warningId = `${controlId}-warning`;
  const describedBy =
    [error && errorId, warning && warningId, help && helpId].filter(Boolean).join(' ') || undefined;
  return (
    <div className={cx('flex min-w-0 flex-col gap-1.5', wide && 'sm:col-span-2', className)}>
      <label
        htmlFor={controlId}
        className={cx(
          labelHidden ? 'sr-only' : 'self-start text-sm font-medium text-text',
          required && REQUIRED_MARK,
        )}
      >
        {label}
      </label>
      <FieldContext
        value={{ report, id: controlId, describedBy, invalid: Boolean(error), required: Boolean(required) }}
      >
        {children}
      </FieldContext>
      {error && <ErrorText id={errorId}>{error}</ErrorText>}
      {warning !== undefined && (
        <div aria-live="polite" className="empty:-mt-1.5">
          {warning && (
            <p id={warningId} className="flex items-start gap-1.5 text-xs text-warning-text">
              <TriangleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
              <span>{warning}</span>
            </p>
          )}
        </div>
      )}
      {help && (
        <p id={helpId} className="text-xs text-muted">
          {help}
        </p>
      )}
    </div>
  );
}
