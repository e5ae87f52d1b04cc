import { CLIENT_DEFAULTS } from '../../../contract/base/limits.ts';
import { withPlus } from '../../../contract/clients/clients.fields.ts';
import type { Contact } from '../../../contract/clients/contact-words.ts';
import { compactPhone, phoneIn, repairedPhone } from '../../../contract/reading/phones.ts';
import { addFinding, type RowValues, textOf } from './row-values.ts';

/** Stores the numbers of the client's country that the phones of a file mean (INPUT-02). */

const PHONES = ['phone', 'phone_secondary'] as const;
type StoredPhones = Readonly<Record<(typeof PHONES)[number], string>>;

/**
 * The values of a row with their phones repaired; what changed is counted as `fixed`. A phone that is the stored one
 * once both are repaired leaves the stored one, so that a file that was exported changes nothing.
 * @param known.country the stored country of the client, for a row that says none; undefined for a new client
 * @param known.stored the phones of the client; undefined for a new one
 */
export function withPhones(
  row: RowValues,
  values: Record<string, unknown>,
  { fix, country, stored }: { fix: boolean; country: string | undefined; stored: StoredPhones | undefined },
): Record<string, unknown> {
  const from = String(values.country ?? country ?? '').trim() || CLIENT_DEFAULTS.country;
  const kept = { ...values };
  if (values.contacts !== undefined)
    kept.contacts = withContactPhones(row, values.contacts as Contact[], { fix, from });
  for (const field of PHONES) {
    const text = values[field];
    if (typeof text !== 'string' || text === '') continue;
    // The rule of the first phone takes no separators (D047); the second is any text.
    const plain = field === 'phone' ? compactPhone(text) : text;
    kept[field] = plain;
    if (!fix) continue;
    const meant = repairedPhone(plain, from);
    if (stored !== undefined) {
      const now = repairedPhone(stored[field], from) ?? withPlus(compactPhone(stored[field]));
      if (now === (meant ?? withPlus(compactPhone(plain)))) {
        delete kept[field];
        continue;
      }
    }
    if (meant === null) continue;
    kept[field] = meant;
    addFinding(row, { sort: 'fixed', field, text, value: meant });
  }
  return kept;
}

/** The contacts of a row with their phones in the form that the API takes, repaired like the client's own (DESK-04). */
function withContactPhones(
  row: RowValues,
  contacts: readonly Contact[],
  { fix, from }: { fix: boolean; from: string },
): Contact[] {
  return contacts.map((contact) => {
    const { phone: text } = contact;
    const plain = compactPhone(text);
    const meant = fix && text !== '' ? repairedPhone(plain, from) : null;
    if (meant !== null) addFinding(row, { sort: 'fixed', field: 'contacts', text, value: meant });
    return { ...contact, phone: meant ?? plain };
  });
}

/**
 * Tells that a new client gets the default country, where that decides what its phone is and is likely wrong: a phone
 * without country code that is none of it. A file from Argentina without a column of countries is one.
 */
export function addMissingCountry(
  row: RowValues,
  { country, phone: kept }: Readonly<Record<string, unknown>>,
): void {
  const phone = textOf(row, 'phone');
  if (country || phone === undefined || phone.startsWith('+')) return;
  // It was repaired, as a number of the default country.
  if (kept !== undefined && kept !== compactPhone(phone)) return;
  if (phoneIn(phone, CLIENT_DEFAULTS.country) !== null) return;
  addFinding(row, { sort: 'missing', field: 'country', text: '', value: CLIENT_DEFAULTS.country });
}
