import {
  type MailKind,
  type MailPreview,
  type MailPreviewRequest,
  type MailTemplate,
  type MailTemplateUpdate,
  type SavedTemplate,
  TEMPLATE_MESSAGES,
} from '../../../contract/mail/mails.ts';
import { fault, invalid } from '../../errors.ts';
import { saveRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { checkTemplate } from './check-template.ts';
import { DEFAULT_TEMPLATES, type TemplateTexts } from './default-templates.ts';
import { foreignParts } from './foreign-parts.ts';
import { licenseVariables } from './license-variables.ts';
import { mailTemplateRecord, textsOf } from './mail-template.record.ts';
import { findMailedLicense, lockTemplate, readMailStyle, writeTemplate } from './mail-templates.queries.ts';
import { MAIL_VARIABLES, sampleOf, variablesOf } from './mail-variables.ts';
import { withMaskedKeys } from './mailed-keys.ts';
import { renderTexts, styleOf } from './render-mail.ts';

/** @throws invalid (400) with the line of each error */
async function requireFine(kind: MailKind, texts: TemplateTexts): Promise<void> {
  const faults = await checkTemplate(kind, texts);
  if (faults.subject || faults.body) throw invalid({ ...faults });
}

/**
 * Stores the vendor's texts of a template; a text that is not sent stays unchanged. What looks as if it were not the
 * vendor's is stored too, and told in `warnings`.
 * @throws stale (412) with the current template; invalid (400) with the line of each error
 */
export async function saveTemplate(
  scope: Scope,
  kind: MailKind,
  { updated_at: _read, ...sent }: MailTemplateUpdate,
): Promise<SavedTemplate> {
  const inForce = textsOf(kind, await lockTemplate(scope.tx, kind));
  const { subject, body } = { ...inForce, ...sent };
  await requireFine(kind, { subject, body });
  const { settings } = await readMailStyle(scope.tx, kind);
  const warnings = await foreignParts(scope, kind, { subject, body }, settings);
  return { ...(await changeTemplate(scope, kind, { subject, body })), ...(warnings && { warnings }) };
}

/**
 * Returns to the program's own texts.
 * @throws stale (412) with the current template
 */
export const resetTemplate = (scope: Scope, kind: MailKind): Promise<MailTemplate> =>
  changeTemplate(scope, kind, DEFAULT_TEMPLATES[kind]);

const changeTemplate = (scope: Scope, kind: MailKind, { subject, body }: TemplateTexts) =>
  saveRecord(scope, mailTemplateRecord, kind, async (stored, version) => {
    const inForce = textsOf(kind, stored);
    if (subject === inForce.subject && body === inForce.body) return;
    const own = DEFAULT_TEMPLATES[kind];
    const isOwn = subject === own.subject && body === own.body;
    await writeTemplate(scope.tx, kind, isOwn ? null : { subject, body }, version);
  });

/**
 * Renders the given texts, or else the present ones, without storing anything.
 * @throws invalid (400) with the line of each error, or for an unknown licence
 */
export async function previewTemplate(
  scope: Pick<Scope, 'tx' | 'publicUrl' | 'clientUrl' | 'mailFrom' | 'now' | 'timeZone'>,
  kind: MailKind,
  { subject, body, license }: MailPreviewRequest,
): Promise<MailPreview> {
  const style = await readMailStyle(scope.tx, kind);
  const inForce = style.template ?? DEFAULT_TEMPLATES[kind];
  const texts = { subject: subject ?? inForce.subject, body: body ?? inForce.body };
  await requireFine(kind, texts);
  const unsubscribeUrl = kind === 'license_reminder' ? `${scope.publicUrl}/` : null;
  const { frame, common } = styleOf(style, scope, { unsubscribeUrl });
  const values = { ...sampleOf(MAIL_VARIABLES[kind], 'sample'), ...common };
  const own = license === undefined ? {} : await valuesOf(scope, license);
  const { keys, ...content } = await renderTexts(
    texts,
    { ...values, ...own },
    { fields: variablesOf(kind), frame },
  );
  // A key is not shown here: whoever may read templates need not be allowed to read licences.
  const shown = (text: string) => (keys === null ? text : withMaskedKeys(text, keys.word));
  const warnings = await foreignParts(scope, kind, texts, style.settings);
  return {
    subject: shown(content.subject),
    html: shown(content.html),
    text: shown(content.text),
    ...(warnings && { warnings }),
  };
}

/**
 * The variables from an existing licence.
 * @throws invalid (400) for an unknown one
 */
async function valuesOf({ tx, now, timeZone }: Pick<Scope, 'tx' | 'now' | 'timeZone'>, id: number) {
  const found = await findMailedLicense(tx, id);
  if (!found) throw invalid({ license: [fault('unknown_reference', TEMPLATE_MESSAGES.unknownLicense)] });
  const license = licenseVariables(found.license, now, timeZone);
  return {
    client: found.client,
    license,
    licenses: [{ ...license, number: 1 }],
    count: 1,
    when: license.when,
  };
}
