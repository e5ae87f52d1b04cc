import { formOf, paragraph, text } from '../../components/record/form-fields.ts';
import { templateTexts } from '../../text/es-mail.ts';

/** The fields from top to bottom; the editor renders them. */
export const TEMPLATE_FORM = formOf({
  subject: text(templateTexts.subject),
  body: paragraph(templateTexts.body),
});
export type TemplateForm = typeof TEMPLATE_FORM.blank;

/**
 * The line number in a message of the server ('línea 3: …'), converted to a line of the editor: the server ignores
 * blank lines at the start of the text.
 */
export function lineNamedIn(message: string | undefined, text: string): number | null {
  const named = /línea (\d+)/i.exec(message ?? '')?.[1];
  if (named === undefined) return null;
  const blankBefore = (/^(?:[ \t]*\r?\n)*/.exec(text)?.[0] ?? '').split('\n').length - 1;
  return Number(named) + blankBefore;
}
