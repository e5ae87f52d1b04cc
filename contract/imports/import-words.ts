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
  active: words('active, activo, activa'),
  inactive: words('inactive, inactivo, inactiva, baja'),
  suspended: words('suspended, suspendido, suspendida'),
  pending: words('pending, pendiente'),
};

export const LICENSE_STATUS_WORDS: Record<(typeof LICENSE_STATUSES)[number], readonly string[]> = {
  active: words('active, activa, activo, vigente'),
  expired: words('expired, expirada, expirado, vencida, vencido'),
  suspended: words('suspended, suspendida, suspendido'),
  cancelled: words('cancelled, canceled, cancelada, cancelado'),
  inactive: words('inactive, inactiva, inactivo'),
  trial: words('trial, prueba, de prueba, demo'),
};

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
export const TAX_CONDITION_WORDS = codesAndNames(TAX_CONDITIONS);

export const NOTES = words('notas, nota, observaciones, comentarios, notes, note, comments, remarks');

/** Words for the setting whether a trial requires the user's email (SELL-04). */
export const TRIAL_EMAIL_WORDS: Record<TrialEmail, readonly string[]> = {
  no: words('no, no se pide'),
  optional: words('optional, opcional, se puede dejar'),
  required: words('required, obligatorio, requerido, es obligatorio'),
};
