import type { FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { redact } from '../../api/redact.ts';
import { toasts } from '../../ui/toasts.ts';

/**
 * Puts the server's errors on the fields of a form and the focus on the first of them, in the order of `fields`.
 * @param fields the form's fields from top to bottom, named as on the wire
 * @returns true when at least one field took an error
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

/** A failed save that belongs to no field: title and message. */
export interface FormFailure {
  title: string;
  message: string;
}

/**
 * Shows a failed save: field errors on their fields, any other failure as an error toast under `title`; the form stays
 * open. Logs a summary without secrets to the browser console (D028).
 * @returns the failure that the form keeps showing after the toast; null for field errors
 */
export function reportSaveError<Values extends FieldValues>(
  error: unknown,
  {
    title,
    fields,
    setError,
  }: {
    title: string;
    fields: readonly Path<Values>[];
    setError: UseFormSetError<Values>;
  },
): FormFailure | null {
  logSaveError(title, error);
  if (showFieldErrors(error, fields, setError)) return null;
  const message = errorMessage(error);
  toasts.error(title, message);
  return { title, message };
}

/** `console.error` with status, code, message and the names of the fields: never what was typed (D001, D028). */
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
