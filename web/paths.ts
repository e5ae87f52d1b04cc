import { z } from 'zod';
import { CLIENT_STATUSES, CLIENT_TYPES } from '../contract/clients.ts';
import { LICENSE_CATEGORIES, LICENSE_STATUSES } from '../contract/licenses.ts';
import { PAGE_SIZES, SEARCH_MAX } from '../contract/limits.ts';

/** Every path of the console, and what its address may say beside it. One place: links, router and lists agree. */
export const PATHS = {
  home: '/',
  signIn: '/login',
  dashboard: '/dashboard',
  clients: '/clients',
  client: '/clients/$id',
  licenses: '/licenses',
  license: '/licenses/$id',
  licenseTypes: '/license-types',
  software: '/software',
  softwareItem: '/software/$id',
  reports: '/reports',
  settings: '/settings',
} as const;

/** Ids in an address are digits alone (D037); anything else is an unknown path. */
export const ID_PATTERN = /^[1-9]\d{0,14}$/;

/** What an address says wrongly is as if it had not been said: a list opens, with its defaults. */
const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

const search = lenient(z.string().trim().min(1).max(SEARCH_MAX));
const id = lenient(z.coerce.number().int().positive());
const flag = lenient(z.enum(['true', 'false']));
/** `?nuevo=1` opens the dialog that creates (D021). */
const creating = lenient(z.coerce.string().pipe(z.literal('1')));

const paging = {
  page: lenient(z.coerce.number().int().positive()),
  page_size: lenient(z.coerce.number().pipe(z.literal([...PAGE_SIZES]))),
};

/** What is absent is the default: page 1, five rows, no filter, no dialog. */
const dialogs = { nuevo: creating, editar: id };

export const CLIENT_TABS = ['resumen', 'licencias', 'instalaciones'] as const;
export type ClientTab = (typeof CLIENT_TABS)[number];

export const clientsSearch = z.object({
  q: search,
  status: lenient(z.enum(CLIENT_STATUSES)),
  type: lenient(z.enum(CLIENT_TYPES)),
  ...paging,
  ...dialogs,
  tab: lenient(z.enum(CLIENT_TABS)),
});
export type ClientsSearch = z.output<typeof clientsSearch>;

export const licensesSearch = z.object({
  q: search,
  status: lenient(z.enum(LICENSE_STATUSES)),
  /** A category word, or the id of a catalogue type (D060). */
  type: lenient(z.union([z.enum(LICENSE_CATEGORIES), z.string().regex(ID_PATTERN)])),
  active: flag,
  ...paging,
  ...dialogs,
});
export type LicensesSearch = z.output<typeof licensesSearch>;

export const licenseTypesSearch = z.object({ q: search, ...dialogs, ver: id });
export type LicenseTypesSearch = z.output<typeof licenseTypesSearch>;

export const softwareSearch = z.object({ q: search, active: flag, ...dialogs });
export type SoftwareSearch = z.output<typeof softwareSearch>;

/** `?q=ana&page=2` as plain text: no quotes, no JSON. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The reverse; what is empty is not written. */
export function stringifySearch(values: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * A path to come back to after signing in, null when it is none of ours: it must lead into this console and not to the
 * sign-in screen itself.
 */
export function safeReturnPath(path: unknown): string | null {
  if (typeof path !== 'string' || !path.startsWith('/') || /^\/[/\\]/.test(path)) return null;
  return path === PATHS.signIn || path.startsWith(`${PATHS.signIn}?`) ? null : path;
}
