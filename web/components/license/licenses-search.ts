import { LICENSE_CATEGORY_LABELS, LICENSE_STATUS_LABELS } from '../../../contract/licenses/license-words.ts';
import {
  readCurrency,
  readDay,
  readDayRange,
  readDays,
  readDialogs,
  readFlag,
  readId,
  readIdText,
  readKey,
  readOn,
  readOrdering,
  readPaging,
  readText,
  searchReader,
} from '../../search-fields.ts';
import { EMAIL_STATUS_LABELS, LICENSE_ORDERING_LABELS } from '../../text/es.ts';

/**
 * Filters by the days on which something happened to a licence, such as '2026-01-01..2026-01-31'. Figures of the
 * reports link to them.
 */
export const LICENSE_FIGURES = [
  'issued',
  'sold',
  'lost',
  'trial_begun',
  'trial_converted',
  'trial_lost',
] as const;

const LICENSE_TABS = ['resumen', 'consultas', 'historial'] as const;
export type LicenseTab = (typeof LICENSE_TABS)[number];

/** The dialogs that an address can open over the details of a licence. */
const LICENSE_QUESTIONS = ['renovar', 'reactivar', 'liberar', 'suspender', 'consumo', 'cobrar'] as const;
export type LicenseQuestion = (typeof LICENSE_QUESTIONS)[number];

/** What the address of a licence's page reads. */
export const readLicensePageSearch = searchReader((raw) => ({
  editar: readId(raw.editar),
  tab: LICENSE_TABS.find((tab) => tab === raw.tab),
  /** The action whose dialog is open over the details. */
  accion: LICENSE_QUESTIONS.find((question) => question === raw.accion),
}));

/** The search parameters of /licenses, which the dashboard and the reports link to as well. */
export const readLicensesSearch = searchReader((raw) => ({
  q: readText(raw.q),
  status: readKey(raw.status, LICENSE_STATUS_LABELS),
  /** A category, or the id of a type (D060). */
  type: readKey(raw.type, LICENSE_CATEGORY_LABELS) ?? readIdText(raw.type),
  active: readFlag(raw.active),
  // The filters of the dialog 'Filtros', by their API names (LIST-02).
  client: readId(raw.client),
  software: readId(raw.software),
  expiry_from: readDay(raw.expiry_from),
  expiry_to: readDay(raw.expiry_to),
  expiring_within: readDays(raw.expiring_within),
  email_status: readKey(raw.email_status, EMAIL_STATUS_LABELS),
  unused: readOn(raw.unused),
  seats_full: readOn(raw.seats_full),
  complimentary: readFlag(raw.complimentary),
  country: readText(raw.country),
  /** Tags between semicolons (DESK-03). */
  tag: readText(raw.tag),
  currency: readCurrency(raw.currency),
  app_version: readText(raw.app_version),
  ...(Object.fromEntries(LICENSE_FIGURES.map((name) => [name, readDayRange(raw[name])])) as Record<
    (typeof LICENSE_FIGURES)[number],
    string | undefined
  >),
  active_within: readDays(raw.active_within),
  silent_for: readDays(raw.silent_for),
  import: readId(raw.import),
  ordering: readOrdering(raw.ordering, LICENSE_ORDERING_LABELS),
  ...readPaging(raw),
  ...readDialogs(raw),
  /** The client with which the form of `?nuevo=1` is prefilled. */
  cliente: readId(raw.cliente),
  ver: readId(raw.ver),
  ...readLicensePageSearch(raw),
}));
export type LicensesSearch = ReturnType<typeof readLicensesSearch>;
