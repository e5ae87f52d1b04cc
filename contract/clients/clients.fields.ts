import { z } from 'zod';
import { DETAIL_LABELS } from '../base/detail-labels.ts';
import { type AnsweredFields, labelsOf, REQUIRED, type WritableFields } from '../base/fields.ts';
import { LABELS } from '../base/labels.ts';
import { CLIENT_DEFAULTS, UNSPECIFIED } from '../base/limits.ts';
import { EMAIL_REQUIRED, NAME_REQUIRED } from '../base/required.ts';
import {
  EXTERNAL_ID,
  externalId,
  lineOr,
  optionalDay,
  optionalLine,
  optionalParagraph,
  optionalWebsite,
  requiredLine,
  whenMissing,
} from '../base/text.ts';
import { withoutDirectionMarks } from '../reading/direction.ts';
import { requiredMailAddress } from '../reading/mail-addresses.ts';
import { answeredTags, tags } from '../tags/tags.ts';
import { contactsOf, contactsShape } from './contacts.ts';
import { CFDI_USE_CODES, TAX_CONDITION_CODES, TAX_REGIME_CODES } from './tax-catalogues.ts';

/** The fields of a client. */

export const CLIENT_TYPES = [
  'individual',
  'small_business',
  'medium_business',
  'large_business',
  'enterprise',
] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];

export const CLIENT_STATUSES = ['active', 'inactive', 'suspended', 'pending'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

export const CLIENT_MESSAGES = {
  emailTaken: 'Ya existe un cliente con este email',
  externalIdTaken: 'Ya existe un cliente con este identificador externo',
  phone: 'El teléfono debe tener entre 9 y 15 dígitos. Ejemplo: +1234567890',
  type: 'Selecciona un tipo de cliente válido',
  status: 'Selecciona un estado válido',
  reminders: 'Indica si el cliente recibe avisos: true o false',
  taxRegime: 'El régimen fiscal debe ser uno del catálogo del SAT',
  cfdiUse: 'El uso de CFDI debe ser uno del catálogo del SAT',
  taxCondition: 'La condición frente al IVA debe ser una de la lista',
  notFound: 'Cliente no encontrado',
} as const;

/**
 * An optional plus, an optional leading 1, then 9 to 15 digits. Separators are refused, not removed (SEED-5.2-02,
 * D047).
 */
export const PHONE_PATTERN = /^\+?1?\d{9,15}$/;

/** Adds a plus in front if it is missing; changes nothing else (SEED-5.2-04, D048). */
export const withPlus = (phone: string) => (phone.startsWith('+') ? phone : `+${phone}`);

/** The rule of a phone: it stays as sent but for the plus (D047, D048). */
const phoneRule = z
  .string({ error: whenMissing(CLIENT_MESSAGES.phone) })
  .overwrite(withoutDirectionMarks)
  .trim()
  .regex(PHONE_PATTERN, CLIENT_MESSAGES.phone)
  .transform(withPlus);

const clientType = z.enum(CLIENT_TYPES, CLIENT_MESSAGES.type);
const clientStatus = z.enum(CLIENT_STATUSES, CLIENT_MESSAGES.status);

export const CLIENT_FIELDS = {
  name: {
    label: LABELS.name,
    schema: requiredLine(200, NAME_REQUIRED),
    absent: REQUIRED,
    answer: z.string(),
  },
  email: {
    label: DETAIL_LABELS.email,
    schema: requiredMailAddress(EMAIL_REQUIRED),
    absent: REQUIRED,
    answer: z.string(),
  },
  company: {
    label: LABELS.company,
    schema: lineOr(CLIENT_DEFAULTS.company, 200),
    absent: { value: '' },
    answer: z.string(),
  },
  phone: {
    label: 'Teléfono Principal',
    schema: phoneRule,
    absent: REQUIRED,
    answer: z.string(),
  },
  phone_secondary: {
    label: 'Teléfono Secundario',
    schema: optionalLine(20),
    absent: { value: '' },
    answer: z.string(),
  },
  address: {
    label: 'Dirección',
    schema: lineOr(CLIENT_DEFAULTS.address, 300),
    absent: { value: '' },
    answer: z.string(),
  },
  city: {
    label: 'Ciudad',
    schema: lineOr(CLIENT_DEFAULTS.city, 100),
    absent: { value: '' },
    answer: z.string(),
  },
  state: {
    label: 'Estado/Provincia',
    schema: lineOr(CLIENT_DEFAULTS.state, 100),
    absent: { value: '' },
    answer: z.string(),
  },
  country: {
    label: LABELS.country,
    schema: lineOr(CLIENT_DEFAULTS.country, 100),
    absent: { value: '' },
    answer: z.string(),
  },
  postal_code: {
    label: 'Código Postal',
    schema: lineOr(CLIENT_DEFAULTS.postal_code, 20),
    absent: { value: '' },
    answer: z.string(),
  },
  client_type: {
    label: 'Tipo de Cliente',
    schema: clientType,
    absent: blankAs(clientType, CLIENT_DEFAULTS.client_type, CLIENT_MESSAGES.type),
  },
  status: {
    label: LABELS.status,
    schema: clientStatus,
    absent: blankAs(clientStatus, CLIENT_DEFAULTS.status, CLIENT_MESSAGES.status),
  },
  contact_person: {
    label: 'Persona de Contacto',
    schema: lineOr(CLIENT_DEFAULTS.contact_person, 200),
    absent: { value: '' },
    answer: z.string(),
  },
  contact_position: {
    label: 'Cargo',
    schema: optionalLine(100),
    absent: { value: '' },
    answer: z.string(),
  },
  tax_id: {
    label: 'RFC/CUIT',
    schema: optionalLine(50),
    absent: { value: '' },
    answer: z.string(),
  },
  website: {
    label: 'Sitio Web',
    schema: optionalWebsite(200),
    absent: { value: '' },
    answer: z.string(),
  },
  notes: {
    label: DETAIL_LABELS.notes,
    schema: optionalParagraph(5000),
    absent: { value: '' },
    answer: z.string(),
  },
  last_contact: {
    label: 'Último Contacto',
    schema: optionalDay,
    absent: { value: null },
    answer: z.string().nullable(),
  },
  /** Whether the client is reminded before a licence ends (LIFE-08). */
  reminders: {
    label: 'Recibe avisos de vencimiento',
    schema: z.boolean(CLIENT_MESSAGES.reminders),
    absent: { value: true },
  },
  /** Tax data of the client for invoices (MONEY-03). Each is accepted for every country. */
  tax_regime: {
    label: 'Régimen fiscal',
    schema: optionalCode(TAX_REGIME_CODES, CLIENT_MESSAGES.taxRegime),
    absent: { value: '' },
    answer: z.enum(['', ...TAX_REGIME_CODES]),
  },
  cfdi_use: {
    label: 'Uso de CFDI',
    schema: optionalCode(CFDI_USE_CODES, CLIENT_MESSAGES.cfdiUse),
    absent: { value: '' },
    answer: z.enum(['', ...CFDI_USE_CODES]),
  },
  tax_condition: {
    label: 'Condición frente al IVA',
    schema: optionalCode(TAX_CONDITION_CODES, CLIENT_MESSAGES.taxCondition),
    absent: { value: '' },
    answer: z.enum(['', ...TAX_CONDITION_CODES]),
  },
  /** Persons beside the client's own address, each with the mails that it gets (DESK-04). A save replaces all. */
  contacts: {
    label: DETAIL_LABELS.contacts,
    schema: contactsOf(phoneRule),
    absent: { value: [] },
    answer: contactsShape,
  },
  /** The client's id in another system of the vendor (API-01). */
  external_id: {
    label: EXTERNAL_ID,
    schema: externalId,
    absent: { value: null },
    answer: z.string().nullable(),
  },
  /** Words of the vendor's own, by which lists are narrowed (DESK-03). */
  tags: { label: LABELS.tags, schema: tags, absent: { value: [] }, answer: answeredTags },
} as const satisfies WritableFields;

export type ClientField = keyof typeof CLIENT_FIELDS;

/** What answers say beyond the fields. */
export const CLIENT_ANSWERED = {
  id: { answer: z.number().int() },
  /** The email as people write its domain, where that differs: 'ana@peña.mx' (INPUT-14). */
  email_shown: { answer: z.string().optional() },
  /** True only for 'Pruebas', the client that holds trials whose user has no client record (SELL-04). */
  is_system: { answer: z.boolean() },
  /** False while only somebody who started a trial wrote the address (SELL-04). */
  email_verified: { label: 'Correo verificado', answer: z.boolean() },
  created_at: { answer: z.string() },
  updated_at: { answer: z.string() },
  /** All licences of the client, equal to the number of rows in its 'licencias' tab (D094). */
  license_count: { answer: z.number().int() },
  /** Licences that are active and not expired: 'activas' in the list (D094). */
  active_license_count: { answer: z.number().int() },
  installation_count: { answer: z.number().int() },
} as const satisfies AnsweredFields;

export const CLIENT_LABELS = labelsOf({ ...CLIENT_FIELDS, ...CLIENT_ANSWERED });

/** True for a text that means "no value" (D095). */
export const isUnspecified = (text: string) => text === '' || text === UNSPECIFIED;

/**
 * A choice in which absent, null and blank values become a default (D010). The message is passed on, because a union
 * alone would hide the message of the choice.
 */
function blankAs<Choice extends z.ZodType>(choice: Choice, fallback: z.output<Choice>, message: string) {
  return z
    .union([z.literal('').transform(() => fallback), z.null().transform(() => fallback), choice], message)
    .prefault('');
}

/** A code of a list; null and the empty text mean no code. */
function optionalCode<Code extends string>(codes: readonly Code[], message: string) {
  return z.union([z.literal(''), z.null().transform(() => '' as const), z.enum(codes)], message);
}
