import { mailSuggestion } from '../../../contract/reading/mail-suggestions.ts';
import { addFinding, type RowValues, textOf } from './row-values.ts';

/** Counts the mail address of a new client if its domain has a probable typing error (INPUT-14). It is stored as it is. */
export function doubtMail(row: RowValues, field: 'email' | 'client'): void {
  const text = textOf(row, field);
  if (text === undefined || mailSuggestion(text) === null) return;
  addFinding(row, { sort: 'email', field, text, value: text });
}
