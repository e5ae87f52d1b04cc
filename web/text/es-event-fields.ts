import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { LABELS } from '../../contract/base/labels.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS } from '../../contract/clients/client-words.ts';
import { CLIENT_LABELS } from '../../contract/clients/clients.fields.ts';
import type { Contact } from '../../contract/clients/contact-words.ts';
import { TAX_WORDS } from '../../contract/clients/tax-words.ts';
import { LICENSE_TYPE_LABELS } from '../../contract/license-types/license-types.fields.ts';
import type { Features } from '../../contract/licenses/features.ts';
import { LICENSE_CATEGORY_LABELS, LICENSE_STATUS_LABELS } from '../../contract/licenses/license-words.ts';
import { LICENSE_LABELS } from '../../contract/licenses/licenses.fields.ts';
import type { Meters } from '../../contract/licenses/meters.ts';
import { SEAT_MODE_LABELS, START_MODE_LABELS } from '../../contract/licenses/sale-words.ts';
import {
  PAYMENT_PROVIDER_LABELS,
  PAYMENT_REQUEST_STATE_LABELS,
  PAYMENT_STATE_LABELS,
} from '../../contract/payments/payment-words.ts';
import {
  PORTAL_FEATURE_LABELS,
  PORTAL_FEATURES,
  type PortalFeatures,
} from '../../contract/portal/portal-words.ts';
import { TRIAL_EMAIL_LABELS } from '../../contract/programs/trial-terms.ts';
import { SETTINGS_LABELS } from '../../contract/settings/settings.fields.ts';
import { SETUP_STEP_LABELS } from '../../contract/settings/setup-steps.ts';
import { SOFTWARE_LABELS } from '../../contract/software/software.fields.ts';
import type { Event, SubjectKind } from '../../contract/system/events.ts';
import { CHECK_LABELS } from '../../contract/system/system.ts';
import { contactsInWords } from './es-contacts.ts';
import { NO_END, STARTS_WHEN_ACTIVATED } from './es-ends.ts';
import { metersInWords } from './es-meters.ts';
import { featuresInWords } from './es-sales-options.ts';
import { deliveryTexts, WEBHOOK_LABELS } from './es-webhooks.ts';
import { formatDate, formatMoney, formatNumber, formatPercent } from './format.ts';

/** The changed fields in an event: their Spanish names, and their values as text. */

const license = {
  ...LICENSE_LABELS,
  machine_name: 'Equipo',
  file_ends: 'Válido hasta',
  used: 'Consumido',
  limit: 'Límite',
};
const software = { ...SOFTWARE_LABELS, is_active: LABELS.is_active };
const settings = {
  ...SETTINGS_LABELS,
  ...PAYMENT_PROVIDER_LABELS,
  instructions: 'Instrucciones de pago',
  transfer: 'Cuentas para transferencias',
  on_chargeback: 'Ante un contracargo',
  logo: 'Logotipo',
  business_timezone: CHECK_LABELS.business_timezone,
};

/** The labels by kind of record. A kind without fields has no labels. */
const EVENT_FIELD_LABELS: Record<SubjectKind, Readonly<Record<string, string>>> = {
  client: CLIENT_LABELS,
  license,
  license_type: LICENSE_TYPE_LABELS,
  software,
  settings,
  installation: {},
  mail: {},
  note: { pinned: 'Fijada', remind_on: 'Recordar' },
  payment_request: {
    state: LABELS.status,
    amount: DETAIL_LABELS.amount,
    currency: LABELS.currency,
    expires_at: DETAIL_LABELS.ends,
    paid_on: 'Día de la transferencia',
    reference: DETAIL_LABELS.reference,
  },
  payment: {
    state: LABELS.status,
    amount: DETAIL_LABELS.amount,
    refunded_amount: PAYMENT_STATE_LABELS.refunded,
    currency: LABELS.currency,
    dispute: PAYMENT_STATE_LABELS.charged_back,
  },
  user: {
    username: 'Usuario',
    names: 'Nombres',
    last_name: 'Apellidos',
    email: DETAIL_LABELS.email,
    role: 'Rol',
    is_active: LABELS.is_active,
    weekly_digest: 'Resumen semanal',
    passkey: 'Llave de acceso',
  },
  session: {},
  api_key: {},
  webhook: {
    ...WEBHOOK_LABELS,
    old_secret_until: 'El secreto anterior sirve hasta',
  },
  mail_template: { subject: 'Asunto', body: deliveryTexts.message },
  import: { created: 'Creados', updated: 'Actualizados', unchanged: 'Sin cambios', failed: 'Con errores' },
  signing_key: { kid: 'Id. de la clave' },
  job: {},
};

const kindOf = ({ type }: Event) => type.slice(0, type.indexOf('.')) as SubjectKind;

/** The fields that contain a date, an amount, a status or a reference. */
const DATES: ReadonlySet<string> = new Set([
  'expiry_date',
  'issued_date',
  'last_contact',
  'promotion_start_date',
  'promotion_end_date',
  'file_ends',
  'updates_until',
  'expires_at',
  'remind_on',
]);
const AMOUNTS: ReadonlySet<string> = new Set([
  'price',
  'original_price',
  'base_price',
  'amount',
  'refunded_amount',
]);
const WORDS: Partial<Record<SubjectKind, Record<string, Readonly<Record<string, string>>>>> = {
  client: { status: CLIENT_STATUS_LABELS, client_type: CLIENT_TYPE_LABELS, ...TAX_WORDS },
  license: {
    status: LICENSE_STATUS_LABELS,
    license_type: LICENSE_CATEGORY_LABELS,
    seat_mode: SEAT_MODE_LABELS,
    start_mode: START_MODE_LABELS,
  },
  software: { trial_email: TRIAL_EMAIL_LABELS },
  license_type: { seat_mode: SEAT_MODE_LABELS, start_mode: START_MODE_LABELS },
  payment_request: { state: PAYMENT_REQUEST_STATE_LABELS },
  payment: { state: PAYMENT_STATE_LABELS },
  settings: { setup_skipped: SETUP_STEP_LABELS },
};
/** The text for null in fields where null means 'no end' or 'no limit'. */
const WHEN_NULL: Record<string, string> = {
  expiry_date: NO_END,
  expiry_days: NO_END,
  event_retention_days: 'Siempre',
  api_key_days_max: 'Sin límite',
  releases_per_month: 'Sin límite',
  updates_until: 'Sin límite',
  updates_days: 'Sin límite',
};

/** Shown for a value that is empty. */
const EMPTY_VALUE = 'Vacío';

/** A changed field as text. */
interface FieldChange {
  field: string;
  label: string;
  before: string;
  after: string;
}

/** The Spanish names of the changed fields. Fields that no form shows are omitted. */
export const fieldNames = (event: Event): string[] => fieldChanges(event).map(({ label }) => label);

/** The changed fields, each with its value before and after. */
export function fieldChanges(event: Event): FieldChange[] {
  const kind = kindOf(event);
  const hasStarted = event.type === 'license.started';
  return Object.entries(event.changes).flatMap(([field, { before, after }]) => {
    const label = EVENT_FIELD_LABELS[kind][field];
    if (label === undefined) return [];
    const waited = hasStarted && field === 'expiry_date';
    const was = waited ? STARTS_WHEN_ACTIVATED : inWords(kind, field, before);
    return [{ field, label, before: was, after: inWords(kind, field, after) }];
  });
}

function numberInWords(field: string, value: number): string {
  if (AMOUNTS.has(field)) return formatMoney(value);
  return field === 'discount_percentage' ? formatPercent(value) : formatNumber(value);
}

function offeredInWords(switches: PortalFeatures): string {
  const offered = PORTAL_FEATURES.filter((name) => switches[name]);
  return offered.map((name) => PORTAL_FEATURE_LABELS[name]).join(', ') || EMPTY_VALUE;
}

/** Formats values that are objects, by the field's name. */
const OBJECTS: Record<string, (value: never) => string> = {
  portal_features: offeredInWords,
  features: (value: Features) => featuresInWords(value) || EMPTY_VALUE,
  contacts: (value: Contact[]) => contactsInWords(value) || EMPTY_VALUE,
  meters: (value: Meters) => metersInWords(value) || EMPTY_VALUE,
};

function inWords(kind: SubjectKind, field: string, value: unknown): string {
  if (value === null || value === undefined) return WHEN_NULL[field] ?? EMPTY_VALUE;
  if (Array.isArray(value) && OBJECTS[field] === undefined) {
    const words = WORDS[kind]?.[field];
    return value.length === 0 ? EMPTY_VALUE : value.map((one) => words?.[one] ?? String(one)).join(', ');
  }
  switch (typeof value) {
    case 'boolean':
      return value ? 'Sí' : 'No';
    case 'number':
      return numberInWords(field, value);
    case 'string':
      if (value.trim() === '') return EMPTY_VALUE;
      if (DATES.has(field)) return formatDate(value);
      return WORDS[kind]?.[field]?.[value] ?? value;
    default:
      return OBJECTS[field]?.(value as never) ?? JSON.stringify(value);
  }
}
