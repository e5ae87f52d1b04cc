import { CircleAlert, TriangleAlert } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId } from 'react';
import { cx } from './cx.ts';

interface FieldContextValue {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
}

const FieldContext = createContext<FieldContextValue | null>(null);

interface ControlAttributes {
  id?: string | undefined;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
  'aria-required'?: true | undefined;
}

/**
 * The attributes that connect a control to the `Field` around it: label, help, error and required mark. The caller's
 * own attributes override them. Outside of a `Field` the control needs an aria-label.
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
  /** Shows the asterisk and sets aria-required. It blocks nothing by itself: forms are noValidate (D084). */
  required?: boolean | undefined;
  help?: ReactNode;
  /** The message under the control; with a message the control is aria-invalid. */
  error?: string | undefined;
  /** Doubt about a value that is accepted all the same; null while there is none, so that it is announced when it comes. */
  warning?: string | null;
  /** Only when an element outside refers to the control. */
  id?: string | undefined;
  /** Hides the label visually and keeps it for screen readers (filters, search). */
  labelHidden?: boolean;
  /** Takes the full width in a `DialogSection` of two columns. */
  wide?: boolean;
  className?: string;
  /** One control of this folder; it reads its ids from the context. */
  children: ReactNode;
}

/** The message of a wrong field. */
export const ErrorText = ({ id, children }: { id: string; children: string }) => (
  <p id={id} className="flex items-start gap-1.5 text-xs text-critical-text">
    <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
    <span>{children}</span>
  </p>
);

/** Drawn by CSS and hidden from screen readers: the label's text and the control's name do not change. */
const REQUIRED_MARK = "after:ml-0.5 after:text-critical-text after:content-['*'/'']";

/** A label, one control, its help, its error and its warning, connected for screen readers. */
export function Field({
  label,
  required,
  help,
  error,
  warning,
  id,
  labelHidden,
  wide,
  className,
  children,
}: FieldProps) {
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
        value={{ id: controlId, describedBy, invalid: Boolean(error), required: Boolean(required) }}
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
