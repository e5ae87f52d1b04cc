/**
 * Names, limits and texts of the client portal. Without schemas, so that its first screen does not load zod
 * (PORTAL-02). The schemas are in portal.ts and portal-licenses.ts.
 */

/**
 * The path of the portal page. Tokens follow '#', because browsers do not send that part to a server: `#t=` from a
 * mail, `#k=` from a ticket.
 */
export const PORTAL_PATH = '/portal';
/** The words of a link to the portal, on the other pages that clients read. */
export const PORTAL_LINK = 'Ver mis licencias';
/** The path of the page on which clients pay. */
export const PAY_PATH = '/pagar';
/**
 * The query parameter in the address to which a provider returns the client: whether the payment was made. It is only
 * shown and does not change the state of the payment.
 */
export const PAY_RETURN = { parameter: 'pago', done: 'si', failed: 'no' } as const;

/**
 * Required with the value `1` in every call of the portal except GET and `ticket/`. It prevents CSRF: a form on
 * another page cannot set headers.
 */
export const PORTAL_HEADER = 'x-portal';

/** What clients can do in the portal. Each is a switch of the setting `portal_features` (PORTAL-05). */
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

/** The label of each feature, for staff. */
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

/** The possible values of a licence's `can`, in this order. */
export const PORTAL_VERBS = ['release', 'file', 'request', 'resend', 'certificate', 'pay'] as const;
export type PortalVerb = (typeof PORTAL_VERBS)[number];

/**
 * The most that a session which began with a ticket may do: it has access to one seat and one machine, and no
 * certificate (PORTAL-06).
 */
export const TICKET_VERBS: readonly PortalVerb[] = ['release', 'file', 'request', 'resend', 'pay'];

/** Why a client releases a machine. */
export const RELEASE_REASONS = ['new', 'broken', 'reinstalled', 'other'] as const;
export type ReleaseReason = (typeof RELEASE_REASONS)[number];

/** The labels of these reasons in histories. */
export const RELEASE_REASON_LABELS: Record<ReleaseReason, string> = {
  new: 'Equipo nuevo',
  broken: 'Equipo descompuesto o perdido',
  reinstalled: 'Sistema reinstalado',
  other: 'Otro motivo',
};

/** The kinds of request that a client can send. */
export const REQUEST_KINDS = ['renewal', 'seats', 'other'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** The words for these kinds in the bell and in mails: '… pide una renovación'. */
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
  /** How long a code and its link are valid, and how many attempts a code allows. */
  askSeconds: 10 * MINUTE,
  tries: 5,
  /** The most requests for a code within an hour. */
  asksOfAddressFromIp: 3,
  asksOfAddress: 10,
  asksOfIp: 10,
  /** After this number of wrong codes within a day, codes for the address are refused. Links still work. */
  wrongCodesOfAddress: 20,
  /** A session ends after `idleSeconds` without a call, and in any case after `sessionSeconds`. */
  idleSeconds: HOUR,
  sessionSeconds: 8 * HOUR,
  ticketSessionSeconds: HOUR,
  viewSessionSeconds: 30 * MINUTE,
  /** How long the link of a ticket, or of 'Ver como cliente', can be opened. */
  linkSeconds: 5 * MINUTE,
  /** Limits within a day: releases by a client; files, requests and mails of a licence. */
  releasesOfClient: 20,
  filesOfLicense: 10,
  requestsOfLicense: 3,
  resendsOfLicense: 3,
  /** Releases of fixed seats in a local month, if `releases_per_month` is null and `self_release` is false. */
  releasesPerMonth: 2,
  fileDays: 30,
  requestMessage: 1000,
  /** A licence that ends within these local days, or has ended, comes first and has its button (DESK-08). */
  dueDays: 30,
  history: 50,
  /** The number of characters of a machine id that a client sees. */
  machineId: 8,
} as const;

/** For how many days a client's request is shown in the bell and counted in `statistics/today/`. */
export const REQUEST_SHOWN_DAYS = 14;

/** Texts in answers to clients, in formal Spanish. */
export const PORTAL_RESULTS = {
  asked: 'Si la dirección es la de un cliente, enviamos un código y un enlace para entrar. Revise su correo.',
  signedOut: 'Sesión cerrada',
  released: 'El equipo quedó libre',
  requested: 'Recibimos su solicitud',
  resent: 'Le enviamos el correo con los datos de la licencia',
  resentToClient: 'Enviamos el correo con los datos de la licencia a la dirección del cliente',
} as const;

/** Texts in answers to staff. */
export const PORTAL_STAFF_RESULTS = { invited: 'Invitación al portal enviada' } as const;

export const PORTAL_MESSAGES = {
  email: 'Escriba una dirección de correo válida',
  /** After a phone was completed with what its country needs. */
  phoneStored: (phone: string) => `Lo guardamos como ${phone}, con la clave de su país`,
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
