import { PAGE_SIZES, SEARCH_MAX, VALIDITY_DAYS_MAX } from '../contract/base/limits.ts';
import { CURRENCIES, type Currency } from '../contract/base/money.ts';
import type { ClientStatus, ClientType } from '../contract/clients/clients.ts';
import type { ImportKind } from '../contract/imports/import-fields.ts';
import type { EmailStatus, LicenseCategory, LicenseStatus } from '../contract/licenses/licenses.ts';
import type { Role } from '../contract/people/permissions.ts';
import type { UserStatus } from '../contract/people/users.ts';
import type { ActorKind } from '../contract/system/events.ts';
import {
  CLIENT_ORDERING_LABELS,
  CLIENT_STATUS_LABELS,
  CLIENT_TYPE_LABELS,
  EMAIL_STATUS_LABELS,
  LICENSE_CATEGORY_LABELS,
  LICENSE_ORDERING_LABELS,
  LICENSE_STATUS_LABELS,
} from './text/es.ts';

/**
 * The paths that screens link to and their search parameters; screens.ts maps them to screens. Features must not import
 * screens.ts, so what they need of URLs is here. Parsed without zod: the first screen loads this file and needs no
 * schema.
 */
export const PATHS = {
  home: '/',
  signIn: '/login',
  forgotPassword: '/olvide-mi-contrasena',
  resetPassword: '/restablecer',
  invitation: '/invitacion',
  firstAdmin: '/primer-administrador',
  account: '/account',
  dashboard: '/dashboard',
  clients: '/clients',
  client: '/clients/$id',
  licenses: '/licenses',
  license: '/licenses/$id',
  certificate: '/licenses/$id/constancia',
  licenseTypes: '/license-types',
  software: '/software',
  softwareItem: '/software/$id',
  imports: '/imports',
  import: '/imports/$id',
  reports: '/reports',
  settings: '/settings',
  mailTemplates: '/settings/plantillas',
  mailTemplate: '/settings/plantillas/$kind',
  mails: '/settings/correos',
  users: '/settings/usuarios',
  apiKeys: '/settings/claves',
  webhooks: '/settings/webhooks',
  audit: '/settings/auditoria',
} as const;

/** Ids in a path are digits only (D037); anything else is an unknown path. */
export const ID_PATTERN = /^[1-9]\d{0,14}$/;

export type PageSize = (typeof PAGE_SIZES)[number];

/** `?nuevo=1` opens the dialog that creates (D021), `?editar=7` the one that edits record 7. */
interface Dialogs {
  nuevo?: '1' | undefined;
  editar?: number | undefined;
}

interface Paging {
  page?: number | undefined;
  page_size?: PageSize | undefined;
}

/** 'historial' stands in the tab 'Resumen' (EVENT-08). */
const CLIENT_TABS = ['resumen', 'licencias', 'instalaciones', 'historial'] as const;
export type ClientTab = (typeof CLIENT_TABS)[number];

const LICENSE_TABS = ['resumen', 'historial'] as const;
export type LicenseTab = (typeof LICENSE_TABS)[number];

export type SoftwareTab = 'resumen' | 'integracion';

/** An absent parameter has its default: page 1, five rows, no filter, no dialog. The same applies below. */
export interface ClientsSearch extends Dialogs, Paging {
  q?: string | undefined;
  status?: ClientStatus | undefined;
  type?: ClientType | undefined;
  country?: string | undefined;
  /** What an import created or changed. */
  import?: number | undefined;
  ordering?: string | undefined;
  tab?: ClientTab | undefined;
}

/** On which days something happened to a licence, as '2026-01-01..2026-01-31': behind a figure of the reports. */
export const LICENSE_FIGURES = [
  'issued',
  'sold',
  'lost',
  'trial_begun',
  'trial_converted',
  'trial_lost',
] as const;
type LicenseFigures = Partial<Record<(typeof LICENSE_FIGURES)[number], string | undefined>>;

export interface LicensesSearch extends Dialogs, Paging, LicenseFigures {
  q?: string | undefined;
  status?: LicenseStatus | undefined;
  /** A category word, or the id of a catalogue type (D060). */
  type?: LicenseCategory | `${number}` | undefined;
  active?: 'true' | 'false' | undefined;
  /** The client that `?nuevo=1` begins with. */
  cliente?: number | undefined;
  /** The filters of the dialog 'Filtros', by their names on the wire (LIST-02). */
  client?: number | undefined;
  software?: number | undefined;
  expiry_from?: string | undefined;
  expiry_to?: string | undefined;
  expiring_within?: number | undefined;
  email_status?: EmailStatus | undefined;
  unused?: 'true' | undefined;
  seats_full?: 'true' | undefined;
  country?: string | undefined;
  currency?: Currency | undefined;
  app_version?: string | undefined;
  active_within?: number | undefined;
  silent_for?: number | undefined;
  import?: number | undefined;
  ordering?: string | undefined;
  tab?: LicenseTab | undefined;
  /** The action whose question stands over the details. */
  accion?: 'renovar' | undefined;
}

export interface LicenseTypesSearch extends Dialogs {
  q?: string | undefined;
  /** The type whose details are open (D026). */
  ver?: number | undefined;
}

export interface SoftwareSearch extends Dialogs {
  q?: string | undefined;
  active?: 'true' | 'false' | undefined;
  import?: number | undefined;
  /** Absent for 'resumen', which needs no address. */
  tab?: 'integracion' | undefined;
}

/** Status and kind are words of the contract; the screen ignores unknown ones. */
export interface MailsSearch extends Paging {
  status?: string | undefined;
  kind?: string | undefined;
  license?: number | undefined;
  client?: number | undefined;
  /** The mail that is open. */
  ver?: number | undefined;
}

/** The filters of 'Usuarios', by their names on the wire (PEOPLE-03). */
export interface UsersSearch extends Dialogs, Paging {
  q?: string | undefined;
  role?: Role | undefined;
  status?: UserStatus | undefined;
}

/**
 * What the file contains; of an import whose check is done, `paso=columnas` goes back to its columns (IMPORT-03). Its
 * reader is features/imports/imports-search.ts: no list reads it, so the first file that runs does not need it.
 */
export interface ImportsSearch {
  kind?: ImportKind | undefined;
  paso?: 'columnas' | undefined;
}

/** Only `?nuevo=1`: the list of keys is short. */
export type KeysSearch = Pick<Dialogs, 'nuevo'>;

/** The open webhook, and the page of its messages, of those in one state. */
export type WebhooksSearch = Dialogs & Pick<MailsSearch, 'ver' | 'status' | 'page'>;

/** The filters of 'Auditoría', by their names on the wire (EVENT-05, EVENT-08). */
export interface AuditSearch {
  /** Types of events, with commas between them. */
  type?: string | undefined;
  actor_kind?: ActorKind | undefined;
  user?: number | undefined;
  client?: number | undefined;
  license?: number | undefined;
  software?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const REPORT_PERIODS = ['this_month', '3_months', '12_months', 'this_year'] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];

/** What the reports are about (REPORT-01). `from` and `to` are a period of one's own, in place of `period`. */
export interface ReportsSearch {
  period?: ReportPeriod | undefined;
  from?: string | undefined;
  to?: string | undefined;
  software?: number | undefined;
  currency?: Currency | undefined;
}

/** Search parameters as text, not yet validated. */
export type RawSearch = Record<string, unknown>;

/** An invalid parameter is ignored: the list opens with its default. */
export const readClientsSearch = (raw: RawSearch): ClientsSearch => ({
  q: readText(raw.q),
  status: readKey(raw.status, CLIENT_STATUS_LABELS),
  type: readKey(raw.type, CLIENT_TYPE_LABELS),
  country: readText(raw.country),
  import: readId(raw.import),
  ordering: readOrdering(raw.ordering, CLIENT_ORDERING_LABELS),
  ...readPaging(raw),
  ...readDialogs(raw),
  tab: CLIENT_TABS.find((tab) => tab === raw.tab),
});

export const readLicensesSearch = (raw: RawSearch): LicensesSearch => ({
  q: readText(raw.q),
  status: readKey(raw.status, LICENSE_STATUS_LABELS),
  type: readKey(raw.type, LICENSE_CATEGORY_LABELS) ?? readIdText(raw.type),
  active: readFlag(raw.active),
  client: readId(raw.client),
  software: readId(raw.software),
  expiry_from: readDay(raw.expiry_from),
  expiry_to: readDay(raw.expiry_to),
  expiring_within: readDays(raw.expiring_within),
  email_status: readKey(raw.email_status, EMAIL_STATUS_LABELS),
  unused: readOn(raw.unused),
  seats_full: readOn(raw.seats_full),
  country: readText(raw.country),
  currency: readCurrency(raw.currency),
  app_version: readText(raw.app_version),
  ...(Object.fromEntries(LICENSE_FIGURES.map((name) => [name, readDayRange(raw[name])])) as LicenseFigures),
  active_within: readDays(raw.active_within),
  silent_for: readDays(raw.silent_for),
  import: readId(raw.import),
  ordering: readOrdering(raw.ordering, LICENSE_ORDERING_LABELS),
  ...readPaging(raw),
  ...readDialogs(raw),
  cliente: readId(raw.cliente),
  tab: LICENSE_TABS.find((tab) => tab === raw.tab),
  accion: raw.accion === 'renovar' ? raw.accion : undefined,
});

export const readLicenseTypesSearch = (raw: RawSearch): LicenseTypesSearch => ({
  q: readText(raw.q),
  ...readDialogs(raw),
  ver: readId(raw.ver),
});

export const readSoftwareSearch = (raw: RawSearch): SoftwareSearch => ({
  q: readText(raw.q),
  active: readFlag(raw.active),
  import: readId(raw.import),
  ...readDialogs(raw),
  tab: raw.tab === 'integracion' ? raw.tab : undefined,
});

export const readMailsSearch = (raw: RawSearch): MailsSearch => ({
  status: readText(raw.status),
  kind: readText(raw.kind),
  license: readId(raw.license),
  client: readId(raw.client),
  ...readPaging(raw),
  ver: readId(raw.ver),
});

export const readUsersSearch = (raw: RawSearch): UsersSearch => ({
  q: readText(raw.q),
  role: ROLE_NAMES.find((role) => role === raw.role),
  status: USER_STATUS_NAMES.find((status) => status === raw.status),
  ...readPaging(raw),
  ...readDialogs(raw),
});

export const readKeysSearch = (raw: RawSearch): KeysSearch => ({ nuevo: readDialogs(raw).nuevo });

export const readWebhooksSearch = (raw: RawSearch): WebhooksSearch => ({
  ...readMailsSearch(raw),
  ...readDialogs(raw),
});

/** Types are only checked for their form: the audit alone knows all of them. */
export const readAuditSearch = (raw: RawSearch): AuditSearch => ({
  type: /^[a-z_]+\.[a-z_]+(,[a-z_]+\.[a-z_]+)*$/.test(String(raw.type)) ? String(raw.type) : undefined,
  actor_kind: ACTOR_KIND_NAMES.find((kind) => kind === raw.actor_kind),
  user: readId(raw.user),
  client: readId(raw.client),
  license: readId(raw.license),
  software: readId(raw.software),
  from: readDay(raw.from),
  to: readDay(raw.to),
});

export const readReportsSearch = (raw: RawSearch): ReportsSearch => ({
  period: REPORT_PERIODS.find((period) => period === raw.period),
  from: readDay(raw.from),
  to: readDay(raw.to),
  software: readId(raw.software),
  currency: readCurrency(raw.currency),
});

/** As in contract/people/permissions.ts and contract/people/users.ts, which bring zod with them. */
const ROLE_NAMES: readonly Role[] = ['admin', 'operator', 'support', 'viewer'];
const USER_STATUS_NAMES: readonly UserStatus[] = ['active', 'invited', 'inactive'];

/** As in contract/system/events.ts, which brings zod with it. */
const ACTOR_KIND_NAMES: readonly ActorKind[] = ['user', 'api_key', 'machine', 'client', 'system'];

const readPaging = (raw: RawSearch): Paging => ({
  page: readId(raw.page),
  page_size: PAGE_SIZES.find((size) => size === readId(raw.page_size)),
});

const readDialogs = (raw: RawSearch): Dialogs => ({
  nuevo: String(raw.nuevo) === '1' ? '1' : undefined,
  editar: readId(raw.editar),
});

function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim().slice(0, SEARCH_MAX) : '';
  return text === '' ? undefined : text;
}

/** A positive whole number, from text or, in a link of the console, a number already. */
function readId(value: unknown): number | undefined {
  return ID_PATTERN.test(String(value)) ? Number(value) : undefined;
}

function readIdText(value: unknown): `${number}` | undefined {
  const id = readId(value);
  return id === undefined ? undefined : `${id}`;
}

function readFlag(value: unknown): 'true' | 'false' | undefined {
  const text = String(value);
  return text === 'true' || text === 'false' ? text : undefined;
}

const readCurrency = (value: unknown) => CURRENCIES.find((currency) => currency === value);

/** A filter that is on or absent. */
const readOn = (value: unknown): 'true' | undefined => (String(value) === 'true' ? 'true' : undefined);

/** A day as an address holds it: 2026-11-22. */
function readDay(value: unknown): string | undefined {
  const isDay =
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
  return isDay ? value : undefined;
}

/** Two days with '..' between them. */
function readDayRange(value: unknown): string | undefined {
  const days = String(value).split('..');
  return days.length === 2 && days.every(readDay) ? String(value) : undefined;
}

/** A number of days that the server accepts. */
function readDays(value: unknown): number | undefined {
  const days = readId(value);
  return days !== undefined && days <= VALIDITY_DAYS_MAX ? days : undefined;
}

/** An order by its name on the wire; '-' in front turns it around. */
const readOrdering = (value: unknown, labels: Record<string, string>): string | undefined =>
  typeof value === 'string' && Object.hasOwn(labels, value.replace(/^-/, '')) ? value : undefined;

/** The value if it is a key of `labels`. */
function readKey<Key extends string>(value: unknown, labels: Record<Key, string>): Key | undefined {
  return typeof value === 'string' && Object.hasOwn(labels, value) ? (value as Key) : undefined;
}

/** Whether an address is this path or one below it; `/clients/7` is below `/clients`. */
export const isAtOrBelow = (address: string, path: string): boolean =>
  address === path || address.startsWith(`${path}/`);

/** `?q=ana&page=2` as plain text: no quotes, no JSON. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The reverse of `parseSearch`; empty values are not written. */
export function stringifySearch(values: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** The screens outside of the frame, which need no session. */
const OUTSIDE: readonly string[] = [
  PATHS.signIn,
  PATHS.forgotPassword,
  PATHS.resetPassword,
  PATHS.invitation,
  PATHS.firstAdmin,
];

/** Whether an address shows one of the screens outside of the frame. */
export const isOutside = (path: string): boolean => OUTSIDE.includes(path);

/** The path to return to after signing in; null unless it is a path of this console inside of the frame. */
export function safeReturnPath(path: unknown): string | null {
  // Browsers read '\\' as '/', and skip tabs and line ends: '/\t/host' is another server.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused here
  if (typeof path !== 'string' || !/^\/(?:[^/\\\u0000-\u001f][^\\\u0000-\u001f]*)?$/.test(path)) return null;
  return isOutside(path.split(/[?#]/, 1)[0]!) ? null : path;
}
