import {
  MAIL_KIND_LABELS,
  type MailKind,
  type MailPreview,
  type MailPreviewRequest,
  type MailTemplate,
  type MailTemplateUpdate,
  TEMPLATE_MESSAGES,
} from '../../../contract/mail/mails.ts';
import { fault, invalid, stale } from '../../errors.ts';
import { changesBetween, record } from '../../records/record-event.ts';
import { isExpected, nextVersion } from '../../records/version.ts';
import type { Scope } from '../../scope.ts';
import { checkTemplate } from './check-template.ts';
import { DEFAULT_TEMPLATES, type TemplateTexts } from './default-templates.ts';
import { licenseVariables } from './license-variables.ts';
import {
  findMailedLicense,
  lockTemplate,
  readMailStyle,
  type StoredTemplate,
  UNCHANGED,
  writeTemplate,
} from './mail-templates.queries.ts';
import { describeVariables, MAIL_VARIABLES, sampleOf, variablesOf } from './mail-variables.ts';
import { renderTexts, styleOf } from './render-mail.ts';

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

/** The texts in force. */
const textsOf = (kind: MailKind, stored: TemplateTexts | undefined): TemplateTexts =>
  stored?.subject && stored.body ? stored : DEFAULT_TEMPLATES[kind];

/** @throws invalid (400) naming the line of each fault */
async function requireFine(kind: MailKind, texts: TemplateTexts): Promise<void> {
  const faults = await checkTemplate(kind, texts);
  if (faults.subject || faults.body) throw invalid({ ...faults });
}

/**
 * Stores the vendor's own texts of a template; one that is not sent stays as it is.
 * @throws stale (412) with the current template; invalid (400) naming the line of each fault
 */
export async function saveTemplate(
  scope: Scope,
  kind: MailKind,
  { updated_at: _read, ...sent }: MailTemplateUpdate,
): Promise<MailTemplate> {
  const inForce = textsOf(kind, await lockTemplate(scope.tx, kind));
  const { subject, body } = { ...inForce, ...sent };
  await requireFine(kind, { subject, body });
  return changeTemplate(scope, kind, { subject, body });
}

/**
 * Makes the program's own texts valid again.
 * @throws stale (412) with the current template
 */
export const resetTemplate = (scope: Scope, kind: MailKind): Promise<MailTemplate> =>
  changeTemplate(scope, kind, DEFAULT_TEMPLATES[kind]);

async function changeTemplate(scope: Scope, kind: MailKind, texts: TemplateTexts): Promise<MailTemplate> {
  const { tx, now } = scope;
  const stored = await lockTemplate(tx, kind);
  if (!isExpected(scope, stored.updated_at)) throw stale(toTemplate(kind, stored));
  const { subject, body } = textsOf(kind, stored);
  const changes = changesBetween({ subject, body }, texts);
  if (Object.keys(changes).length === 0) return toTemplate(kind, stored);
  const own = DEFAULT_TEMPLATES[kind];
  const isOwn = texts.subject === own.subject && texts.body === own.body;
  const updated_at = nextVersion(stored.updated_at, now);
  await writeTemplate(tx, kind, isOwn ? null : texts, updated_at);
  await record(scope, {
    type: 'mail_template.updated',
    subject: { id: null, name: MAIL_KIND_LABELS[kind] },
    changes,
  });
  return toTemplate(kind, { kind, ...texts, updated_at });
}

/**
 * Renders texts, or those in force, without storing anything.
 * @throws invalid (400) naming the line of each fault, or an unknown licence
 */
export async function previewTemplate(
  scope: Pick<Scope, 'tx' | 'publicUrl' | 'now' | 'timeZone'>,
  kind: MailKind,
  { subject, body, license }: MailPreviewRequest,
): Promise<MailPreview> {
  const style = await readMailStyle(scope.tx, kind);
  const inForce = style.template ?? DEFAULT_TEMPLATES[kind];
  const texts = { subject: subject ?? inForce.subject, body: body ?? inForce.body };
  await requireFine(kind, texts);
  const unsubscribe = kind === 'license_reminder' ? `${scope.publicUrl}/` : null;
  const { frame, common } = styleOf(style, scope.publicUrl, unsubscribe);
  const values = { ...sampleOf(MAIL_VARIABLES[kind], 'sample'), ...common };
  const own = license === undefined ? {} : await valuesOf(scope, license);
  return renderTexts(texts, { ...values, ...own }, { fields: variablesOf(kind), frame });
}

/** The variables that a licence of the vendor gives. @throws invalid (400) for an unknown one */
async function valuesOf({ tx, now, timeZone }: Pick<Scope, 'tx' | 'now' | 'timeZone'>, id: number) {
  const found = await findMailedLicense(tx, id);
  if (!found) throw invalid({ license: [fault('unknown_reference', TEMPLATE_MESSAGES.unknownLicense)] });
  const license = licenseVariables(found.license, now, timeZone);
  return { client: found.client, license, licenses: [license], count: 1, when: license.when };
}
