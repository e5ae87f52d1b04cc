import type { PAGE_SIZES } from '../contract/base/limits.ts';

/**
 * The paths that screens link to; screens.ts maps them to screens. Features must not import screens.ts, so the parts
 * of URLs that they need are here.
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
  integration: '/software/$id/integracion',
  imports: '/imports',
  import: '/imports/$id',
  payments: '/payments',
  paymentRequest: '/payments/$id',
  receipt: '/payments/$id/recibo',
  /** Below the path of payment requests. It cannot be confused with an id, because ids are digits. */
  paymentsReceived: '/payments/pagos',
  reports: '/reports',
  settings: '/settings',
  mailTemplates: '/settings/plantillas',
  mailTemplate: '/settings/plantillas/$kind',
  mails: '/settings/correos',
  paymentSettings: '/settings/pagos',
  users: '/settings/usuarios',
  apiKeys: '/settings/claves',
  webhooks: '/settings/webhooks',
  audit: '/settings/auditoria',
  system: '/settings/sistema',
} as const;

/** Ids in a path consist of digits (D037); anything else is an unknown path. */
export const ID_PATTERN = /^[1-9]\d{0,14}$/;

export type PageSize = (typeof PAGE_SIZES)[number];

/** Search parameters as text, not yet validated. */
export type RawSearch = Record<string, unknown>;

/** True if an address is this path or below it: `/clients/7` is below `/clients`. */
export const isAtOrBelow = (address: string, path: string): boolean =>
  address === path || address.startsWith(`${path}/`);

/** Parses `?q=ana&page=2` as plain text, not as JSON. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The reverse of `parseSearch`; empty values are omitted. */
export function stringifySearch(values: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** The screens outside the frame, which need no session. */
const OUTSIDE: readonly string[] = [
  PATHS.signIn,
  PATHS.forgotPassword,
  PATHS.resetPassword,
  PATHS.invitation,
  PATHS.firstAdmin,
];

/** True if an address shows a screen outside the frame. */
export const isOutside = (path: string): boolean => OUTSIDE.includes(path);

/** The path to open after signing in; null unless it is a path of a console screen inside the frame. */
export function safeReturnPath(path: unknown): string | null {
  // Browsers treat '\\' as '/', and ignore tabs and line breaks: '/\t/host' is another server.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused here
  if (typeof path !== 'string' || !/^\/(?:[^/\\\u0000-\u001f][^\\\u0000-\u001f]*)?$/.test(path)) return null;
  return isOutside(path.split(/[?#]/, 1)[0]!) ? null : path;
}
