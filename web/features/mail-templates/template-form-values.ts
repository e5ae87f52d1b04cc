import { type MailTemplate, mailTemplateTexts } from '../../../contract/mail/mails.ts';
import { templateTexts } from '../../text/es-mail.ts';

/** The fields of the form from top to bottom. */
export const TEMPLATE_LABELS = {
  subject: templateTexts.subject,
  body: templateTexts.body,
} as const;

export interface TemplateForm {
  subject: string;
  body: string;
}

export const BLANK_TEMPLATE: TemplateForm = { subject: '', body: '' };

export const templateToForm = ({ subject, body }: MailTemplate): TemplateForm => ({ subject, body });

/** The contract's own rules; the version goes beside the form. */
export const templateFormSchema = mailTemplateTexts;

/**
 * The line that a message of the server names ('línea 3: …'), as the editor counts it: the server leaves out the blank
 * lines before the text.
 */
export function lineNamedIn(message: string | undefined, text: string): number | null {
  const named = /línea (\d+)/i.exec(message ?? '')?.[1];
  if (named === undefined) return null;
  const blankBefore = (/^(?:[ \t]*\r?\n)*/.exec(text)?.[0] ?? '').split('\n').length - 1;
  return Number(named) + blankBefore;
}
