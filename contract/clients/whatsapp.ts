import { isExpired, localDay } from '../base/time.ts';
import type { LicenseRow } from '../licenses/licenses.ts';

/**
 * Links that open a WhatsApp chat with a text (LIFE-11). These texts are short, because a mail's text is too long for
 * a chat. For a mail that was already sent, the chat gets the mail's own text.
 */

/** A phone number with country code: 8 to 15 digits, not beginning with 0 (E.164). */
const NUMBER_PATTERN = /^[1-9]\d{7,14}$/;

/** The address of a chat with this text; null if WhatsApp cannot have the phone number. */
export function whatsappLink(phone: string, text: string): string | null {
  const digits = phone.replace(/\D/g, '');
  if (!NUMBER_PATTERN.test(digits)) return null;
  // encodeURIComponent throws on half a surrogate pair, which a cut text may have at its end.
  return `https://wa.me/${digits}?text=${encodeURIComponent(text.toWellFormed())}`;
}

type Described = Pick<
  LicenseRow,
  'client_name' | 'software_name' | 'software_version' | 'license_key' | 'expiry_date' | 'pending_start'
>;

/**
 * A message about a licence: greeting, what it says, and the address of the portal; null while the portal is closed
 * (DESK-08).
 */
const message =
  (says: (license: Described, timeZone: string, now: Date) => readonly string[]) =>
  (license: Described, timeZone: string, now: Date, portal: string | null = null): string =>
    [
      greetingOf(license.client_name),
      ...says(license, timeZone, now),
      ...(portal === null ? [] : [`Sus licencias: ${portal}`]),
    ].join('\n\n');

/** The message with a licence key for the client: product, key, end. */
export const keyMessage = message((license, ...at) => [
  `Esta es su licencia de ${product(license)}:`,
  license.license_key,
  ends(license, ...at),
]);

/** The message about a renewal for the client: the new end, and that the key stays the same. */
export const renewalMessage = message((license, ...at) => [
  `Renovamos su licencia de ${product(license)}.`,
  ends(license, ...at),
  `La clave es la misma: ${license.license_key}`,
]);

/** The reminder of the end of a licence that has one. */
export const reminderMessage = message((license, ...at) => [
  `Su licencia de ${product(license)} ${ends(license, ...at).toLowerCase()}`,
  `Clave: ${license.license_key}`,
  '¿Le ayudamos a renovarla?',
]);

interface AskedToPay {
  client: { name: string };
  url: string;
  /** Null if its price has no end, because a part of it came in. */
  expires_at: string | null;
}

/**
 * The message with a payment request: the amount, the link, and until when (PAY-07).
 * @param amount with its currency
 */
export const paymentMessage = (
  { client, url, expires_at }: AskedToPay,
  amount: string,
  timeZone: string,
): string =>
  [
    greetingOf(client.name),
    `Puede pagar ${amount} aquí:`,
    url,
    ...(expires_at === null ? [] : [`El precio vale hasta el ${day(expires_at, timeZone)}.`]),
  ].join('\n\n');

/** The message with the address of a receipt (MONEY-12). */
export const receiptMessage = (client: string, number: string, url: string): string =>
  [greetingOf(client), `Este es su recibo ${number}:`, url].join('\n\n');

/** The greeting at the start of a text that a person will continue. */
export const greetingOf = (client: string) => `Hola, ${client}:`;
const product = ({ software_name, software_version }: Described) => `${software_name} ${software_version}`;

/** A sentence with the end of a licence. */
function ends({ expiry_date, pending_start }: Described, timeZone: string, now: Date): string {
  if (pending_start) return 'Su plazo empieza al activarla.';
  if (expiry_date === null) return 'No vence.';
  return `${isExpired(expiry_date, now) ? 'Venció' : 'Vence'} el ${day(expiry_date, timeZone)}.`;
}

/** Day/month/year. */
const day = (instant: string, timeZone: string) => localDay(instant, timeZone).split('-').reverse().join('/');
