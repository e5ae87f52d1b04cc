import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { ApiError, CalledOff, errorMessage } from '../../api/api-error.ts';
import { redact } from '../../api/redact.ts';
import { toasts } from '../../ui/toasts.ts';

/**
 * Shows the server's errors at the fields of a form, and focuses the first of these in the order of `fields`.
 * @param fields the form's fields from top to bottom, with their API names
 * @returns true if at least one field shows an error
 */
function showFieldErrors<Values extends FieldValues>(
  error: unknown,
  fields: readonly Path<Values>[],
  setError: UseFormSetError<Values>,
): boolean {
  if (!(error instanceof ApiError)) return false;
  const wrong = fields.filter((field) => error.fieldErrors[field]?.[0] !== undefined);
  wrong.forEach((field, position) => {
    const message = error.fieldErrors[field]?.join(' ') ?? '';
    setError(field, { type: 'server', message }, { shouldFocus: position === 0 });
  });
  return wrong.length > 0;
}

/** A failed save that concerns no field: title and message. */
export interface FormFailure {
  title: string;
  message: string;
  /** True if a toast says the same, and announces it. */
  inToast?: boolean;
}

/**
 * Shows a failed save: field errors at their fields, any other failure in the form, with `inToast` also as an error
 * toast with `title`. The form stays open. Logs a summary without secrets to the browser console (D028).
 * @returns the failure that the form shows; null for field errors, and for a save that the person gave up
 */
export function reportSaveError<Values extends FieldValues>(
  error: unknown,
  {
    title,
    inToast,
    fields,
    setError,
  }: {
    title: string;
    inToast: boolean;
    fields: readonly Path<Values>[];
    setError: UseFormSetError<Values>;
  },
): FormFailure | null {
  if (error instanceof CalledOff) return null;
  logSaveError(title, error);
  if (showFieldErrors(error, fields, setError)) return null;
  const message = errorMessage(error);
  if (inToast) toasts.error(title, message);
  return { title, message, inToast };
}

/**
 * Logs status, code, message and the names of the fields with `console.error`, but never typed values (D001, D028).
 */
export function logSaveError(title: string, error: unknown): void {
  const summary =
    error instanceof ApiError
      ? {
          status: error.status,
          code: error.code,
          message: error.message,
          fields: Object.keys(error.fieldErrors),
        }
      : { message: errorMessage(error) };
  console.error(title, redact(summary));
}
