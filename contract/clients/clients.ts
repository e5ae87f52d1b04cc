import { z } from 'zod';
import { CLIENT_DEFAULTS, EXTERNAL_ID_MAX, UNSPECIFIED } from '../base/limits.ts';
import { recordId } from '../base/numbers.ts';
import { bulkUpdateOf, exportIds, listQuery, pageOf, updatedSince } from '../base/page.ts';
import {
  externalId,
  isEmail,
  line,
  lineOr,
  optionalDay,
  optionalLine,
  optionalParagraph,
  optionalWebsite,
  requiredLine,
  whenMissing,
} from '../base/text.ts';
import { bulkActionOf } from '../licenses/bulk.ts';
import { license } from '../licenses/licenses.ts';
import { installation } from '../programs/installations.ts';
import { CFDI_USE_CODES, TAX_CONDITION_CODES, TAX_REGIME_CODES } from './tax-catalogues.ts';

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
  nameRequired: 'El nombre es obligatorio',
  emailRequired: 'El email es obligatorio',
  emailInvalid: 'El email no es válido',
  emailTaken: 'Ya existe un cliente con este email',
  externalIdTaken: 'Ya existe un cliente con este identificador externo',
  phone: 'El teléfono debe tener entre 9 y 15 dígitos. Ejemplo: +1234567890',
  type: 'Selecciona un tipo de cliente válido',
  status: 'Selecciona un estado válido',
  reminders: 'Indica si el cliente recibe avisos: true o false',
  taxRegime: 'Selecciona un régimen fiscal del catálogo del SAT',
  cfdiUse: 'Selecciona un uso de CFDI del catálogo del SAT',
  taxCondition: 'Selecciona una condición frente al IVA válida',
  notFound: 'Cliente no encontrado',
} as const;

export const CLIENT_RESULTS = { deleted: 'Cliente eliminado exitosamente' } as const;

/**
 * An optional plus, an optional leading 1, then 9 to 15 digits. Separators are refused, not removed (SEED-5.2-02,
 * D047).
 */
export const PHONE_PATTERN = /^\+?1?\d{9,15}$/;

/** Adds a plus in front if it is missing; changes nothing else (SEED-5.2-04, D048). */
export const withPlus = (phone: string) => (phone.startsWith('+') ? phone : `+${phone}`);

/**
 * The writable fields. They are required here; a PUT makes them optional and keeps the fields that it does not send.
 */
const fields = {
  name: requiredLine(200, CLIENT_MESSAGES.nameRequired),
  email: requiredLine(254, CLIENT_MESSAGES.emailRequired).refine(
    (text) => text === '' || isEmail(text),
    CLIENT_MESSAGES.emailInvalid,
  ),
  company: lineOr(CLIENT_DEFAULTS.company, 200),
  phone: z
    .string({ error: whenMissing(CLIENT_MESSAGES.phone) })
    .trim()
    .regex(PHONE_PATTERN, CLIENT_MESSAGES.phone)
    .transform(withPlus),
  phone_secondary: optionalLine(20),
  address: lineOr(CLIENT_DEFAULTS.address, 300),
  city: lineOr(CLIENT_DEFAULTS.city, 100),
  state: lineOr(CLIENT_DEFAULTS.state, 100),
  country: lineOr(CLIENT_DEFAULTS.country, 100),
  postal_code: lineOr(CLIENT_DEFAULTS.postal_code, 20),
  client_type: z.enum(CLIENT_TYPES, CLIENT_MESSAGES.type),
  status: z.enum(CLIENT_STATUSES, CLIENT_MESSAGES.status),
  contact_person: lineOr(CLIENT_DEFAULTS.contact_person, 200),
  contact_position: optionalLine(100),
  tax_id: optionalLine(50),
  website: optionalWebsite(200),
  notes: optionalParagraph(5000),
  last_contact: optionalDay,
  /** Whether the client is reminded before a licence ends (LIFE-08). */
  reminders: z.boolean(CLIENT_MESSAGES.reminders),
  /** Tax data of the client for invoices (MONEY-03). Each is accepted for every country. */
  tax_regime: optionalCode(TAX_REGIME_CODES, CLIENT_MESSAGES.taxRegime),
  cfdi_use: optionalCode(CFDI_USE_CODES, CLIENT_MESSAGES.cfdiUse),
  tax_condition: optionalCode(TAX_CONDITION_CODES, CLIENT_MESSAGES.taxCondition),
  /** The client's id in another system of the vendor (API-01). */
  external_id: externalId,
};

export const clientCreate = z
  .object({
    ...fields,
    company: fields.company.prefault(''),
    phone_secondary: fields.phone_secondary.prefault(''),
    address: fields.address.prefault(''),
    city: fields.city.prefault(''),
    state: fields.state.prefault(''),
    country: fields.country.prefault(''),
    postal_code: fields.postal_code.prefault(''),
    client_type: blankAs(fields.client_type, CLIENT_DEFAULTS.client_type, CLIENT_MESSAGES.type),
    status: blankAs(fields.status, CLIENT_DEFAULTS.status, CLIENT_MESSAGES.status),
    contact_person: fields.contact_person.prefault(''),
    contact_position: fields.contact_position.prefault(''),
    tax_id: fields.tax_id.prefault(''),
    website: fields.website.prefault(''),
    notes: fields.notes.prefault(''),
    last_contact: fields.last_contact.prefault(null),
    reminders: fields.reminders.default(true),
    tax_regime: fields.tax_regime.prefault(''),
    cfdi_use: fields.cfdi_use.prefault(''),
    tax_condition: fields.tax_condition.prefault(''),
    external_id: fields.external_id.prefault(null),
  })
  .meta({
    examples: [{ name: 'Ana López', email: 'ana.lopez@example.com', phone: '+525512345678' }],
  });
export type ClientInput = z.input<typeof clientCreate>;
/** The values that are stored: trimmed, with defaults filled in. */
export type ClientValues = z.output<typeof clientCreate>;

/** A PUT keeps the fields that it does not send (D091). `updated_at` protects against overwriting a newer version. */
export const clientUpdate = z.object({ ...fields, updated_at: z.string().max(40) }).partial();

/** The fields of a bulk change. */
export const clientBulkUpdate = bulkUpdateOf({
  status: fields.status,
  client_type: fields.client_type,
  country: fields.country,
  state: fields.state,
  city: fields.city,
});

/** The bulk actions on clients, each with its fields. */
export const clientActions = {
  delete: {},
  set_status: { status: fields.status },
  /** Removes all machines of the client's licences. */
  release_seats: {},
};
export const clientBulkAction = bulkActionOf(clientActions);

/** The filters shared by the list and the export (D053). */
const clientFilters = z.object({
  status: z.enum(CLIENT_STATUSES).optional(),
  type: z.enum(CLIENT_TYPES).optional(),
  client_type: z.enum(CLIENT_TYPES).optional(),
  country: line(100).optional(),
  state: line(100).optional(),
  city: line(100).optional(),
  company: line(200).optional(),
  email: line(254).optional(),
  external_id: line(EXTERNAL_ID_MAX).optional(),
  updated_since: updatedSince.optional(),
  /** Records that an import created or changed. */
  import: z.coerce.number().pipe(recordId).optional(),
});
export const clientListQuery = z.object({ ...listQuery.shape, ...clientFilters.shape });
export const clientExportQuery = z.object({ ...clientListQuery.shape, ids: exportIds.optional() });

export const CLIENT_ORDERINGS = [
  'created_at',
  'name',
  'company',
  'client_type',
  'status',
  'license_count',
] as const;

const clientShape = {
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  company: z.string(),
  phone: z.string(),
  phone_secondary: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  country: z.string(),
  postal_code: z.string(),
  client_type: z.enum(CLIENT_TYPES),
  status: z.enum(CLIENT_STATUSES),
  contact_person: z.string(),
  contact_position: z.string(),
  tax_id: z.string(),
  website: z.string(),
  notes: z.string(),
  last_contact: z.string().nullable(),
  /** False if the client does not want reminders. */
  reminders: z.boolean(),
  tax_regime: z.enum(['', ...TAX_REGIME_CODES]),
  cfdi_use: z.enum(['', ...CFDI_USE_CODES]),
  tax_condition: z.enum(['', ...TAX_CONDITION_CODES]),
  external_id: z.string().nullable(),
  /** True only for 'Pruebas', the client that holds trials whose user has no client record (SELL-04). */
  is_system: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  /** All licences of the client, equal to the number of rows in its 'licencias' tab (D094). */
  license_count: z.number().int(),
  /** Licences that are active and not expired: 'activas' in the list (D094). */
  active_license_count: z.number().int(),
  installation_count: z.number().int(),
};

const client = z.object(clientShape).meta({ id: 'Client' });
export type Client = z.infer<typeof client>;

/**
 * A client with its newest licences and installations, at most {@link EMBEDDED_ROWS} of each; its counts are of all
 * (D114). The installations stand flat, and again in their licences.
 */
export const clientDetails = z
  .object({
    ...clientShape,
    /** When a mail server refused a reminder to this address for good; null if none did. */
    email_bounced_at: z.string().nullable(),
    /** The client's last sign-in to the portal; null if there was none (PORTAL-08). */
    portal_last_sign_in: z.string().nullable(),
    licenses: z.array(license),
    installations: z.array(installation),
  })
  .meta({ id: 'ClientDetails' });
export type ClientDetails = z.infer<typeof clientDetails>;

/**
 * The answer to a save: the client's fields, and `warnings` about values that look wrong but were stored (MONEY-02).
 * `warnings` is absent if there are none, and only answers to saves have it.
 */
export const savedClient = clientDetails
  .extend({ warnings: z.object({ tax_id: z.array(z.string()).min(1) }).optional() })
  .meta({ id: 'SavedClient' });
export type SavedClient = z.infer<typeof savedClient>;

export const clientPage = pageOf(client).meta({ id: 'ClientPage' });

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
