import { CLIENT_DEFAULTS } from '../base/limits.ts';
import { taxIdFault } from '../clients/tax-ids.ts';
import { countryCode } from './countries.ts';

/**
 * Leading zeros that a spreadsheet dropped, where the country fixes the length (INPUT-03). Countries whose codes never
 * begin with a zero, such as Chile, Argentina and Uruguay, have nothing to restore.
 */

/** The form of postal codes by country: the number of digits, and how many zeros at most the first of them are. */
const POSTAL_CODES: Readonly<Record<string, { digits: number; zeros: number }>> = {
  MX: { digits: 5, zeros: 1 },
  CO: { digits: 6, zeros: 1 },
  PE: { digits: 5, zeros: 1 },
  BR: { digits: 8, zeros: 1 },
  EC: { digits: 6, zeros: 1 },
  GT: { digits: 5, zeros: 1 },
  PA: { digits: 4, zeros: 1 },
  ES: { digits: 5, zeros: 1 },
  PR: { digits: 5, zeros: 2 },
  US: { digits: 5, zeros: 2 },
  DE: { digits: 5, zeros: 1 },
  FR: { digits: 5, zeros: 1 },
  IT: { digits: 5, zeros: 2 },
};

/**
 * A postal code with the leading zeros that its country's codes have.
 * @param country the client's country as free text
 * @returns the code unchanged if nothing is missing, or the country or the code is another
 */
export function withPostalZeros(postalCode: string, country: string): string {
  // The default of all countries, as a spreadsheet leaves it.
  if (postalCode === '0') return CLIENT_DEFAULTS.postal_code;
  const form = POSTAL_CODES[countryCode(country) ?? ''];
  if (!form || !/^[1-9]\d*$/.test(postalCode)) return postalCode;
  const missing = form.digits - postalCode.length;
  return missing > 0 && missing <= form.zeros ? postalCode.padStart(form.digits, '0') : postalCode;
}

/** A RUC of Ecuador: the province (01 to 24, or 30), eight digits, and the establishment, whose first is 001. */
const RUC_OF_ECUADOR = /^(?:0[1-9]|1\d|2[0-4]|30)\d{8}00[1-9]$/;

/**
 * A RUT of Uruguay: the weights of its first eleven digits, whose last digit checks them. Those that begin with a zero
 * are the oldest companies.
 */
const RUT_WEIGHTS = [4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
function isRutOfUruguay(digits: string): boolean {
  const sum = RUT_WEIGHTS.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
  return (11 - (sum % 11)) % 11 === Number(digits[11]);
}

const isBrazilian = (digits: string) => taxIdFault('BR', digits) === null;

/** The tax ids of a country that may begin with zeros: the number of digits, and the test of one. */
const TAX_IDS: Readonly<Record<string, readonly { digits: number; is: (id: string) => boolean }[]>> = {
  BR: [
    { digits: 11, is: isBrazilian },
    { digits: 14, is: isBrazilian },
  ],
  EC: [{ digits: 13, is: (id) => RUC_OF_ECUADOR.test(id) }],
  UY: [{ digits: 12, is: isRutOfUruguay }],
};

/**
 * A tax id with its leading zeros. They are put back only where they make one valid number of the country, so a number
 * that is short for another reason stays.
 * @param country the client's country as free text
 */
export function withTaxIdZeros(taxId: string, country: string): string {
  const forms = TAX_IDS[countryCode(country) ?? ''];
  // Separators were text, so a spreadsheet left such a number alone.
  if (
    !forms ||
    !/^[1-9]\d+$/.test(taxId) ||
    forms.some(({ digits, is }) => taxId.length === digits && is(taxId))
  )
    return taxId;
  const whole = forms
    .filter(({ digits }) => taxId.length < digits)
    .map(({ digits, is }) => ({ id: taxId.padStart(digits, '0'), is }))
    .filter(({ id, is }) => is(id));
  return whole.length === 1 ? whole[0]!.id : taxId;
}
