import { CURRENCIES } from '../base/money.ts';
import { normalizeForSearch } from '../base/text.ts';
import type { CLIENT_STATUSES, CLIENT_TYPES } from '../clients/clients.fields.ts';
import { CFDI_USES, TAX_CONDITIONS, TAX_REGIMES } from '../clients/tax-catalogues.ts';
import type { LICENSE_CATEGORIES, LICENSE_STATUSES } from '../licenses/licenses.fields.ts';
import type { SeatMode } from '../licenses/seats.ts';
import type { StartMode } from '../licenses/start.ts';
import type { TrialEmail } from '../programs/trial-terms.ts';

/**
 * The words in spreadsheets for the values of choices, in the form of {@link headerKey}. The first word is the code.
 */

/** The form in which headers and words are compared: lower case, no accents, only letters and digits. */
export const headerKey = (text: string): string =>
  normalizeForSearch(text)
    .replace(/[^\p{L}\p{N}%]+/gu, ' ')
    .trim();

/** Splits a text with commas into words. */
export const words = (text: string): readonly string[] => text.split(',').map((word) => word.trim());

export const CLIENT_TYPE_WORDS: Record<(typeof CLIENT_TYPES)[number], readonly string[]> = {
  individual: words('individual, persona, persona fisica, particular'),
  small_business: words('small business, pequena empresa, pequena, pyme, small'),
  medium_business: words('medium business, mediana empresa, mediana, medium'),
  large_business: words('large business, gran empresa, grande, large'),
  enterprise: words('enterprise, corporativo, corporacion, corporate'),
};

export const CLIENT_STATUS_WORDS: Record<(typeof CLIENT_STATUSES)[number], readonly string[]> = {
  active: words('active, activo, activa, enabled, habilitado, vigente'),
  inactive: words('inactive, inactivo, inactiva, baja, disabled, deshabilitado, archived, archivado'),
  suspended: words('suspended, suspendido, suspendida, blocked, bloqueado'),
  pending: words('pending, pendiente'),
};

/** Columns of other programs that say by Sí or No what a client's status is. */
export const CLIENT_STATUS_FLAGS = flagsOf<(typeof CLIENT_STATUSES)[number]>([
  ['activo, activa, active, is active, enabled, habilitado', { yes: 'active', no: 'inactive' }],
  ['inactivo, inactive, disabled, deshabilitado, archived, archivado', { yes: 'inactive' }],
  ['suspended, suspendido, is suspended, blocked, bloqueado', { yes: 'suspended' }],
]);

export const LICENSE_STATUS_WORDS: Record<(typeof LICENSE_STATUSES)[number], readonly string[]> = {
  active: words('active, activa, activo, vigente, valid, valida, enabled, expiring, delivered, sold'),
  expired: words('expired, expirada, expirado, vencida, vencido, caducada, caducado'),
  suspended: words(`
    suspended, suspendida, suspendido, disabled, deshabilitada, banned, blocked, bloqueada, bloqueado`),
  cancelled: words('cancelled, canceled, cancelada, cancelado, revoked, revocada, anulada, refunded'),
  inactive: words('inactive, inactiva, inactivo, pending, pendiente'),
  trial: words('trial, prueba, de prueba, demo'),
};

/** Columns of other programs that say by Sí or No what a licence's status is. */
export const LICENSE_STATUS_FLAGS = flagsOf<(typeof LICENSE_STATUSES)[number]>([
  ['suspended, suspendida, is suspended, blocked, banned, bloqueada, disabled', { yes: 'suspended' }],
  ['revoked, revocada, is revoked, cancelled, canceled, cancelada, is cancelled', { yes: 'cancelled' }],
  ['expired, expirada, vencida, is expired', { yes: 'expired' }],
  ['active, activa, is active', { yes: 'active', no: 'inactive' }],
  ['enabled, habilitada, is enabled, license key enabled', { yes: 'active', no: 'suspended' }],
]);

/** One meaning for several headers; the first of each pair lists the headers. */
function flagsOf<Choice extends string>(flags: [headers: string, { yes: Choice; no?: Choice }][]) {
  return Object.fromEntries(
    flags.flatMap(([headers, meaning]) => words(headers).map((header) => [header, meaning])),
  );
}

export const CATEGORY_WORDS: Record<(typeof LICENSE_CATEGORIES)[number], readonly string[]> = {
  trial: words('trial, prueba, de prueba, demo'),
  basic: words('basic, basica, basico'),
  premium: words('premium'),
  enterprise: words('enterprise, empresarial'),
  abono: words('abono'),
  pack: words('pack, paquete'),
  individual: words('individual'),
  promocional: words('promocional, promotional, promo'),
};

export const SEAT_MODE_WORDS: Record<SeatMode, readonly string[]> = {
  fixed: words('fixed, fijo, fijos, fija, fijas, fijos por equipo'),
  floating: words('floating, flotante, flotantes'),
};

export const START_MODE_WORDS: Record<StartMode, readonly string[]> = {
  issue: words('issue, emision, al emitir, al emitirse'),
  first_activation: words('first activation, primera activacion, al activarse, al activar'),
};

/** The text that an export writes for a number without a limit. */
export const UNLIMITED = 'Sin límite';

/** Words for no limit. */
export const UNLIMITED_WORDS = words(`
  sin limite, ilimitado, ilimitada, ilimitados, ilimitadas, unlimited, no limit, infinite, infinito`);

/** Words for a licence without an end. `0000 00 00` is the empty day of MySQL. */
export const NO_END_WORDS = [
  ...UNLIMITED_WORDS,
  ...words(`
    lifetime, never, never expires, does not expire, no expiration, no expiry, perpetual, permanent, forever, none,
    nunca, no vence, no expira, no caduca, sin vencimiento, sin vigencia, sin expiracion, sin caducidad, perpetua,
    perpetuo, permanente, indefinida, indefinido, vitalicia, vitalicio, de por vida, 0000 00 00, 0000 00 00 00 00 00`),
];

export const CURRENCY_WORDS = Object.fromEntries(CURRENCIES.map((code) => [code, [code.toLowerCase()]]));

/** The words for each code of a tax office: the code, its name, and both together as in '601 - Name'. */
const codesAndNames = (names: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(names).map(([code, name]) => [code, [code, name, `${code} ${name}`].map(headerKey)]),
  );

const namesOf = (catalogue: Readonly<Record<string, { name: string }>>) =>
  Object.fromEntries(Object.entries(catalogue).map(([code, { name }]) => [code, name]));

export const TAX_REGIME_WORDS = codesAndNames(namesOf(TAX_REGIMES));
export const CFDI_USE_WORDS = codesAndNames(namesOf(CFDI_USES));
/** The words that Argentine programs write for a condition, beside its code and name. */
const TAX_CONDITION_SHORT: Partial<Record<keyof typeof TAX_CONDITIONS, readonly string[]>> = {
  1: words('responsable inscripto, resp inscripto, ri, inscripto'),
  4: words('exento, iva exento, sujeto exento'),
  5: words('cf'),
  6: words('monotributo, monotributista, responsable monotributista'),
  7: words('no categorizado'),
  15: words('no alcanzado'),
};
export const TAX_CONDITION_WORDS = Object.fromEntries(
  Object.entries(codesAndNames(TAX_CONDITIONS)).map(([code, known]) => [
    code,
    [...known, ...(TAX_CONDITION_SHORT[Number(code) as keyof typeof TAX_CONDITIONS] ?? [])],
  ]),
);

export const NOTES = words('notas, nota, observaciones, comentarios, notes, note, comments, remarks');

/** Words for the setting whether a trial requires the user's email (SELL-04). */
export const TRIAL_EMAIL_WORDS: Record<TrialEmail, readonly string[]> = {
  no: words('no, no se pide'),
  optional: words('optional, opcional, se puede dejar'),
  required: words('required, obligatorio, requerido, es obligatorio'),
};
