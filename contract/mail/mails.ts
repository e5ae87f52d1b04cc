import { z } from 'zod';
import { recordId, writtenId } from '../base/numbers.ts';
import { listQuery, pageOf, updatedSince } from '../base/page.ts';
import { requiredLine, requiredParagraph, TEXT_MESSAGES } from '../base/text.ts';
import type { ContactTopic } from '../clients/contact-words.ts';
import { namedContact } from '../clients/contacts.ts';
import { TRIAL_MAILS_OF_DAY } from '../programs/trial-terms.ts';
import { type EmailTransport, emailTransport, STORED_IN_OUTBOX } from './email-transport.ts';

/** Kinds of mail, the vendor's templates (MAIL-01, MAIL-02), and sent mails (MAIL-04). */

/** The kinds about one licence. Their templates can be previewed with one of the vendor's licences. */
export const LICENSE_MAIL_KINDS = [
  'license_issued',
  'license_renewed',
  'license_extended',
  'license_reminder',
  'license_suspended',
  'license_reinstated',
  'license_cancelled',
  'key_replaced',
  'license_transferred',
] as const;
export type LicenseMailKind = (typeof LICENSE_MAIL_KINDS)[number];

/**
 * The kinds of mail that have a template. `license_extended` is separate from `license_renewed`, because an extension
 * ('Prórroga') is no sale: thanking for a renewal would make the client believe that it has paid.
 */
export const MAIL_KINDS = [
  ...LICENSE_MAIL_KINDS,
  'licenses_issued',
  'invitation',
  'password_reset',
  'api_key_expiring',
  'webhook_disabled',
  'portal_link',
  'portal_invitation',
  'client_request',
  'payment_request',
  'payment_received',
  'digest',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/**
 * All kinds of mail. A notice about account security has no template: an attacker who may change templates could
 * remove the warning from it.
 */
const SENT_MAIL_KINDS = [...MAIL_KINDS, 'security_notice'] as const;
export type SentMailKind = (typeof SENT_MAIL_KINDS)[number];

export const MAIL_KIND_LABELS: Record<SentMailKind, string> = {
  license_issued: 'Licencia emitida',
  licenses_issued: 'Licencias emitidas juntas',
  license_renewed: 'Licencia renovada',
  license_extended: 'Prórroga',
  license_reminder: 'Aviso de vencimiento',
  license_suspended: 'Licencia suspendida',
  license_reinstated: 'Licencia reactivada',
  license_cancelled: 'Licencia cancelada',
  key_replaced: 'Clave nueva',
  license_transferred: 'Licencia transferida',
  invitation: 'Invitación a la consola',
  password_reset: 'Cambio de contraseña',
  api_key_expiring: 'Clave de API por vencer',
  webhook_disabled: 'Webhook desactivado',
  portal_link: 'Acceso al portal',
  portal_invitation: 'Invitación al portal',
  client_request: 'Solicitud de un cliente',
  payment_request: 'Cobro',
  payment_received: 'Pago recibido',
  digest: 'Resumen semanal',
  security_notice: 'Aviso de seguridad',
};

/** The kinds with a one-time link. Their content is never returned by the API. */
export const ONE_TIME_MAIL_KINDS: readonly SentMailKind[] = ['invitation', 'password_reset', 'portal_link'];

/** The kinds that the contacts of a client get too, by what a contact receives (DESK-04, docs/mails.md). */
export const MAILS_TO_CONTACTS: Partial<Record<SentMailKind, ContactTopic>> = {
  license_issued: 'keys',
  licenses_issued: 'keys',
  license_renewed: 'keys',
  license_extended: 'keys',
  license_suspended: 'keys',
  license_reinstated: 'keys',
  license_cancelled: 'keys',
  key_replaced: 'keys',
  license_transferred: 'keys',
  license_reminder: 'reminders',
  payment_request: 'payments',
  payment_received: 'payments',
  portal_invitation: 'portal',
};

const MAIL_STATUSES = ['queued', 'sent', 'failed', 'cancelled'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

const TEMPLATE_SUBJECT_MAX = 200;
export const TEMPLATE_BODY_MAX = 10_000;

export const TEMPLATE_MESSAGES = {
  subjectRequired: 'El asunto es obligatorio',
  bodyRequired: 'El texto es obligatorio',
  notFound: 'Plantilla no encontrada',
  unknownLicense: 'La licencia no existe',
  noAddress: 'Tu cuenta no tiene un email al que enviar la prueba',
} as const;

export const TEMPLATE_RESULTS = {
  tested: (address: string, transport: EmailTransport) =>
    transport === 'smtp'
      ? `Correo de prueba enviado a ${address}`
      : `Correo de prueba para ${address}: ${STORED_IN_OUTBOX}`,
} as const;

export const MAIL_MESSAGES = {
  notFound: 'Correo no encontrado',
  sent: 'El correo ya se envió: no se puede cancelar',
  sending: 'El correo se está enviando en este momento',
  cancelled: 'Cancelado antes de enviarse',
  notice: 'Un aviso de seguridad no se puede cancelar',
  notWaiting: 'El correo no está en espera: no hay nada que cancelar',
  bodyGone: 'El contenido de este correo ya se borró',
  licenseGone: 'Una licencia de este correo ya no existe: no se puede reenviar',
  otherClient: 'La licencia tiene otra clave y es de otro cliente: este correo ya no se puede reenviar',
  noServer: 'No hay un servidor de correo: configúralo en Configuración › Correos',
  contactGone: 'Esta persona ya no es un contacto del cliente que reciba estos correos: no se puede reenviar',
  oneTime: 'Este correo lleva un enlace de un solo uso: pide uno nuevo',
  trialMails: `No se envió: ya salieron los ${TRIAL_MAILS_OF_DAY} correos de pruebas que se envían por día. Puedes reenviarlo`,
} as const;

/**
 * Why the mails of a cancelled licence are not sent again: 'Su licencia está lista' would be wrong (DESK-01). Not among the
 * messages above, which the console loads.
 */
export const CANCELLED_NOT_RESENT = 'La licencia está cancelada: su correo ya no se puede reenviar';

/** A variable of a template. A list has variables for its items, for a loop such as `{% for l in licenses %}`. */
const templateVariable = z.object({
  /** The name in templates, such as `license.key`. */
  name: z.string(),
  description: z.string(),
  /** A `link` signs in its holder, once. It can only be used as the whole address of a link: `[texto]({{ link }})`. */
  type: z.enum(['text', 'number', 'flag', 'list', 'link']),
  /** True if the value can be empty, so that a template should test it with `{% if reason %}`. */
  optional: z.boolean(),
  sample: z.string(),
  items: z.array(z.object({ name: z.string(), description: z.string(), sample: z.string() })),
});
export type TemplateVariable = z.infer<typeof templateVariable>;

const kind = z.enum(MAIL_KINDS);
const sentKind = z.enum(SENT_MAIL_KINDS);

export const mailTemplate = z
  .object({
    kind,
    label: z.string(),
    subject: z.string(),
    body: z.string(),
    /** True if subject and body are the product's own texts. */
    is_default: z.boolean(),
    default_subject: z.string(),
    default_body: z.string(),
    variables: z.array(templateVariable),
    updated_at: z.string(),
  })
  .meta({ id: 'MailTemplate' });
export type MailTemplate = z.infer<typeof mailTemplate>;

/**
 * What in a template could send clients or their money elsewhere: accounts and addresses that are not in the settings, by
 * field. It prevents no save.
 */
const templateWarnings = z.object({
  subject: z.array(z.string()).min(1).optional(),
  body: z.array(z.string()).min(1).optional(),
});
export type TemplateWarnings = z.infer<typeof templateWarnings>;

/** The answer to a save; `warnings` is absent if there are none. */
export const savedTemplate = mailTemplate
  .extend({ warnings: templateWarnings.optional() })
  .meta({ id: 'SavedMailTemplate' });
export type SavedTemplate = z.infer<typeof savedTemplate>;

export const mailTemplates = z.object({ results: z.array(mailTemplate) }).meta({ id: 'MailTemplateList' });

export const templateParams = z.object({ kind });

const texts = {
  subject: requiredLine(TEMPLATE_SUBJECT_MAX, TEMPLATE_MESSAGES.subjectRequired),
  body: requiredParagraph(TEMPLATE_BODY_MAX, TEMPLATE_MESSAGES.bodyRequired),
};

/** Both texts of a template, as a form edits them. */
export const mailTemplateTexts = z.object(texts);
/**
 * A text that is not sent stays unchanged. `updated_at` protects against overwriting a newer version, like If-Match
 * (MAIL-02).
 */
export const mailTemplateUpdate = mailTemplateTexts.extend({ updated_at: z.string().max(40) }).partial();
export type MailTemplateUpdate = z.output<typeof mailTemplateUpdate>;

export const mailTemplateReset = z.object({ updated_at: z.string().max(40).optional() });

/**
 * Texts that are not sent are taken from the current template. With `license` the variables have the values of that
 * licence, else sample values.
 */
export const mailPreviewRequest = z.object({
  subject: texts.subject.optional(),
  body: texts.body.optional(),
  license: recordId.optional(),
});
export type MailPreviewRequest = z.output<typeof mailPreviewRequest>;

export const mailPreview = z
  .object({
    subject: z.string(),
    html: z.string(),
    text: z.string(),
    /** As in the answer to a save. */
    warnings: templateWarnings.optional(),
  })
  .meta({ id: 'MailPreview' });
export type MailPreview = z.infer<typeof mailPreview>;

export const mailTestRequest = z.object({ subject: texts.subject.optional(), body: texts.body.optional() });

const reference = writtenId.optional();

const mailFilters = z.object({
  status: z.enum(MAIL_STATUSES).optional(),
  license: reference,
  client: reference,
  kind: sentKind.optional(),
});

/** Newest first. `address` matches the beginning of an address; the content of mails is not searched. */
export const mailListQuery = z.object({
  ...listQuery.omit({ search: true }).shape,
  ...mailFilters.shape,
  /** Ignores case; '' counts as absent. */
  address: z
    .string()
    .trim()
    .toLowerCase()
    .max(254, TEXT_MESSAGES.tooLong(254))
    .transform((text) => text || undefined)
    .optional(),
  updated_since: updatedSince.optional(),
});

/** Where a mail was sent: to a mail server, or only into the folder of a program without one. */
const MAIL_PLACES = ['server', 'folder'] as const;

const mailShape = {
  id: z.number().int(),
  kind: sentKind,
  status: z.enum(MAIL_STATUSES),
  /** The email address of the recipient. */
  to: z.string(),
  /** The address as people write its domain, where that differs (INPUT-14). */
  to_shown: z.string().optional(),
  to_name: z.string(),
  /** The contact of the client who got it; null for the client itself, and for staff (DESK-04). */
  contact: namedContact,
  subject: z.string(),
  attempts: z.number().int(),
  created_at: z.string(),
  sent_at: z.string().nullable(),
  /** How the mail was delivered; null before delivery, and for mails of versions that did not store it. */
  transport: emailTransport.nullable(),
  /** Where it went: `folder` reached nobody (DESK-07). Null as `transport`. */
  sent_to: z.enum(MAIL_PLACES).nullable(),
  last_error: z.string().nullable(),
  license: z.object({ id: z.number().int(), license_key: z.string() }).nullable(),
  client: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  /** When the state last changed: queued, tried, sent, refused or cancelled. */
  updated_at: z.string(),
};

const mailRow = z.object(mailShape).meta({ id: 'MailRow' });
export type MailRow = z.infer<typeof mailRow>;
export const mailPage = pageOf(mailRow).meta({ id: 'MailPage' });

/**
 * A sent mail, with its tokens masked. `html` and `text` are null after the content was deleted (mail_retention_days),
 * and always for {@link ONE_TIME_MAIL_KINDS}.
 */
export const mail = z
  .object({ ...mailShape, html: z.string().nullable(), text: z.string().nullable() })
  .meta({ id: 'Mail' });
export type Mail = z.infer<typeof mail>;
