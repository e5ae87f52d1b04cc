import type { SearchAnswer } from '../../../contract/base/search.ts';
import { licenseKeyIn } from '../../../contract/reading/license-keys.ts';
import { isMailAddress, mailKey } from '../../../contract/reading/mail-addresses.ts';
import { isSamePhone, phoneDigits } from '../../../contract/reading/phone-digits.ts';
import { foldCode, searchWords } from '../../../contract/reading/search-folding.ts';

/** One result of a search. */
export type Hit<Kind extends keyof Omit<SearchAnswer, 'query'>> = NonNullable<
  SearchAnswer[Kind]
>['results'][number];
type NamedKind = 'licenses' | 'installations' | 'clients';

/** A record, and the kind whose card tells about it. */
export type NamedRecord = { [Kind in NamedKind]: { kind: Kind; hit: Hit<Kind> } }[NamedKind];

/**
 * The record that a search names with a whole key, machine id, mail address or phone number, as support pastes them
 * (DESK-10); null for any other text. An address or a number that is not a client's main one, such as a second phone,
 * names the only client that was found by it.
 */
export function namedRecord({ query, licenses, installations, clients }: SearchAnswer): NamedRecord | null {
  const code = foldCode(licenseKeyIn(query) ?? query);
  const license = licenses?.results.find(({ license_key }) => foldCode(license_key) === code);
  if (license !== undefined) return { kind: 'licenses', hit: license };
  const machine = installations?.results.find(({ machine_id }) => foldCode(machine_id) === code);
  if (machine !== undefined) return { kind: 'installations', hit: machine };
  const client = clients && namedClient(query, clients);
  return client ? { kind: 'clients', hit: client } : null;
}

function namedClient(query: string, { count, results }: NonNullable<SearchAnswer['clients']>) {
  const address = addressIn(query);
  const digits = phoneDigits(query);
  if (address === null && digits === null) return undefined;
  const isMain = ({ email, phone }: Hit<'clients'>) =>
    (address !== null && mailKey(email) === address) || (digits !== null && isSamePhone(phone, digits));
  return results.find(isMain) ?? (count === 1 ? results[0] : undefined);
}

/** The mail address that a text is or holds in angle brackets, in the form in which addresses are compared. */
function addressIn(text: string): string | null {
  const [word, ...further] = searchWords(text);
  return word !== undefined && further.length === 0 && isMailAddress(word.text) ? mailKey(word.text) : null;
}
