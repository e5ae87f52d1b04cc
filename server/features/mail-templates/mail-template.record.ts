import { MAIL_KIND_LABELS, type MailKind, type MailTemplate } from '../../../contract/mail/mails.ts';
import type { RecordKind } from '../../records/save-record.ts';
import { DEFAULT_TEMPLATES, type TemplateTexts } from './default-templates.ts';
import { lockTemplate, type StoredTemplate, storedTemplates, UNCHANGED } from './mail-templates.queries.ts';
import { describeVariables } from './mail-variables.ts';

/** The texts that are used now: the vendor's, else the program's own. */
export const textsOf = (kind: MailKind, stored: TemplateTexts | undefined): TemplateTexts =>
  stored?.subject && stored.body ? stored : DEFAULT_TEMPLATES[kind];

/** A template in an answer. */
export function toTemplate(kind: MailKind, stored: StoredTemplate | undefined): MailTemplate {
  const own = DEFAULT_TEMPLATES[kind];
  const { subject, body } = textsOf(kind, stored);
  return {
    kind,
    label: MAIL_KIND_LABELS[kind],
    subject,
    body,
    is_default: subject === own.subject && body === own.body,
    default_subject: own.subject,
    default_body: own.body,
    variables: describeVariables(kind),
    updated_at: stored?.updated_at ?? UNCHANGED,
  };
}

export const mailTemplateRecord: RecordKind<StoredTemplate, MailTemplate, MailTemplate, MailKind> = {
  name: 'mail_template',
  table: 'mail_templates',
  key: 'kind',
  lock: async (tx, kinds) => Promise.all(kinds.map((kind) => lockTemplate(tx, kind))),
  find: async ({ tx }, kind) => toTemplate(kind, (await storedTemplates(tx)).get(kind)),
  complete: async (_scope, template) => template,
  written: ({ subject, body }) => ({ subject, body }),
  about: ({ label }) => ({ subject: { id: null, name: label } }),
};
