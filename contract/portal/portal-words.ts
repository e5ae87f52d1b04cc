/**
 * The client's portal: names, limits and texts that need no schema, so that its first screen loads none (PORTAL-02). The
 * schemas of its calls are in portal.ts and portal-licenses.ts.
 */

/** The path of the portal's page. Tokens stand after '#', where browsers keep them to themselves: `#t=` of a mail, `#k=` of a ticket. */
export const PORTAL_PATH = '/portal';
/** The path of the page on which clients pay. */
export const PAY_PATH = '/pagar';
/** What the address says to which a provider sends a client back: that the payment was made, or not. It decides nothing. */
export const PAY_RETURN = { parameter: 'pago', done: 'si', failed: 'no' } as const;

/** Every call of the portal but GET and `ticket/` needs this header with the value `1`: a form of another page cannot send it. */
export const PORTAL_HEADER = 'x-portal';

/** What a client may do, each a switch of the setting `portal_features` (PORTAL-05). */
export const PORTAL_FEATURES = [
  'release',
  'file',
  'tax_data',
  'request',
  'resend',
  'certificate',
  'reminders',
  'pay',
] as const;
export type PortalFeature = (typeof PORTAL_FEATURES)[number];
export type PortalFeatures = Record<PortalFeature, boolean>;

/** What each lets a client do, as staff read it. */
export const PORTAL_FEATURE_LABELS: Record<PortalFeature, string> = {
  release: 'Liberar equipos',
  file: 'Descargar archivos sin conexión',
  tax_data: 'Cambiar datos de contacto y fiscales',
  request: 'Enviar solicitudes',
  resend: 'Pedir de nuevo el correo de una licencia',
  certificate: 'Imprimir la constancia',
  reminders: 'Decidir si recibe avisos',
  pay: 'Pagar',
};

/** What `can` of a licence may hold, in its order. */
export const PORTAL_VERBS = ['release', 'file', 'request', 'resend', 'certificate', 'pay'] as const;
export type PortalVerb = (typeof PORTAL_VERBS)[number];

/** What a ticket of the program allows at most: its seat, its machine, no paper (PORTAL-06). */
export const TICKET_VERBS: readonly PortalVerb[] = ['release', 'file', 'request', 'resend', 'pay'];

/** Why a client releases a machine. */
export const RELEASE_REASONS = ['new', 'broken', 'reinstalled', 'other'] as const;
export type ReleaseReason = (typeof RELEASE_REASONS)[number];

/** The same in histories. */
export const RELEASE_REASON_LABELS: Record<ReleaseReason, string> = {
  new: 'Equipo nuevo',
  broken: 'Equipo descompuesto o perdido',
  reinstalled: 'Sistema reinstalado',
  other: 'Otro motivo',
};

/** What a client may ask for. */
export const REQUEST_KINDS = ['renewal', 'seats', 'other'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** The same in the bell and in the mail: '… pide una renovación'. */
export const REQUEST_KIND_LABELS: Record<RequestKind, string> = {
  renewal: 'una renovación',
  seats: 'más equipos',
  other: 'ayuda',
};

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Times in seconds. */
export const PORTAL_LIMITS = {
  codeDigits: 6,
  /** How long a code and its link hold, and how often a code may be tried. */
  askSeconds: 10 * MINUTE,
  tries: 5,
  /** Requests of a code within an hour. */
  asksOfAddressFromIp: 3,
  asksOfAddress: 10,
  asksOfIp: 10,
  /** After so many wrong codes within a day the codes of an address count no more; its links do. */
  wrongCodesOfAddress: 20,
  /** A session ends after this time without a call, and after that in any case. */
  idleSeconds: HOUR,
  sessionSeconds: 8 * HOUR,
  ticketSessionSeconds: HOUR,
  viewSessionSeconds: 30 * MINUTE,
  /** How long the address of a ticket, or of 'Ver como cliente', waits to be opened. */
  linkSeconds: 5 * MINUTE,
  /** Within a day: releases of a client, files, requests and mails of a licence. */
  releasesOfClient: 20,
  filesOfLicense: 10,
  requestsOfLicense: 3,
  resendsOfLicense: 3,
  /** Of a fixed seat, in a local month, where neither the licence nor `self_release` says how many. */
  releasesPerMonth: 2,
  fileDays: 30,
  requestMessage: 1000,
  history: 50,
  /** The characters of a machine id that a client sees. */
  machineId: 8,
} as const;

/** How many days a request of a client stays in the bell and is counted in `statistics/today/`. */
export const REQUEST_SHOWN_DAYS = 14;

/** Texts that answer a client: formal. */
export const PORTAL_RESULTS = {
  asked: 'Si la dirección es la de un cliente, enviamos un código y un enlace para entrar. Revise su correo.',
  signedOut: 'Sesión cerrada',
  released: 'El equipo quedó libre',
  requested: 'Recibimos su solicitud',
  resent: 'Le enviamos el correo con los datos de la licencia',
} as const;

/** Texts that answer staff. */
export const PORTAL_STAFF_RESULTS = { invited: 'Invitación al portal enviada' } as const;

export const PORTAL_MESSAGES = {
  email: 'Escriba una dirección de correo válida',
  codeOrToken: 'Escriba el código',
  invalidToken: 'El código o el enlace no es válido, ya se usó o venció. Pida uno nuevo.',
  unauthorized: 'Su sesión terminó. Entre de nuevo.',
  forbidden: 'No es posible desde aquí',
  readOnly: 'Está viendo el portal como lo ve el cliente: aquí no se cambia nada',
  notAllowed: 'Su proveedor no ofrece esta opción',
  machine: 'Escriba el identificador del equipo',
  why: 'Elija por qué lo libera',
  kind: 'Elija qué solicita',
  inactive: 'El cliente no está activo',
  ofTrials: 'Este cliente reúne las pruebas sin correo: no tiene portal',
  off: 'El portal está apagado',
} as const;
