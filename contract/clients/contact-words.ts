/** The contacts of a client in words (DESK-04). Without schemas: lists, mails and the portal read them. */

/** What a contact may get beside the client itself. */
export const CONTACT_TOPICS = ['keys', 'reminders', 'payments', 'portal'] as const;
export type ContactTopic = (typeof CONTACT_TOPICS)[number];

/** The most contacts of a client. */
export const CONTACTS_MAX = 5;

/** A person beside the client's own address. `phone` is '' where none is known. */
export type Contact = { name: string; email: string; phone: string; receives: ContactTopic[] };

/** What a contact gets, as a label. */
export const CONTACT_TOPIC_LABELS: Record<ContactTopic, string> = {
  keys: 'Claves y cambios de sus licencias',
  reminders: 'Avisos de vencimiento',
  payments: 'Cobros y pagos',
  portal: 'Entra al portal',
};

/** The short words of the same, as files and summaries have them. */
export const CONTACT_TOPIC_WORDS: Record<ContactTopic, string> = {
  keys: 'claves',
  reminders: 'avisos',
  payments: 'pagos',
  portal: 'portal',
};

/** 'claves, avisos y portal'; 'no recibe nada' without any. */
export function receivedInWords(receives: readonly ContactTopic[]): string {
  const words = receives.map((topic) => CONTACT_TOPIC_WORDS[topic]);
  if (words.length === 0) return 'no recibe nada';
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} y ${words.at(-1)}`;
}

/** The fields of contacts about which an answer to a save may say something, by their place: 'contacts.0.email'. */
export const contactField = (at: number, field: 'email' | 'phone') => `contacts.${at}.${field}` as const;
export const CONTACT_ADVICE = Array.from({ length: CONTACTS_MAX }, (_, at) => [
  contactField(at, 'email'),
  contactField(at, 'phone'),
]).flat();
