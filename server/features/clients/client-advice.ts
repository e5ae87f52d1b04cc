import { type Advice, joinAdvice } from '../../../contract/base/advice.ts';
import { withPlus } from '../../../contract/clients/clients.fields.ts';
import type { Client } from '../../../contract/clients/clients.ts';
import { type Contact, contactField } from '../../../contract/clients/contact-words.ts';
import { taxIdWarnings } from '../../../contract/clients/tax-ids.ts';
import { mailAdvice } from '../../../contract/reading/mail-suggestions.ts';
import { phoneAdvice, phoneWarning } from '../../../contract/reading/phones.ts';

type Doubted = Pick<Client, 'country' | 'email' | 'phone' | 'phone_secondary' | 'tax_id' | 'contacts'>;

/**
 * What the answer to a save of a client says: about a tax id with a fault (MONEY-02), a phone that is not one of the
 * client's country but was typed as one (INPUT-02), and a slip in the domain of the mail address (INPUT-14).
 * @param client as stored
 * @param sent the body as it was sent: whether a phone had a plus is not seen in the stored one (D048)
 */
export function clientAdvice(client: Doubted, sent: unknown): Advice {
  const { country, email, phone, phone_secondary, tax_id, contacts } = client;
  const body = sent as Partial<Record<string, unknown>>;
  const typed = (field: 'phone' | 'phone_secondary') => {
    const value = body[field];
    return typeof value === 'string' ? value : client[field];
  };
  return joinAdvice([
    { warnings: { tax_id: taxIdWarnings(country, tax_id) } },
    ofPhone('phone', typed('phone'), phone, country),
    ofPhone('phone_secondary', typed('phone_secondary'), phone_secondary, country),
    mailAdvice(email),
    // Of contacts that the call does not send, nothing new is to be said.
    ...(Array.isArray(body.contacts)
      ? contacts.flatMap((contact, at) => ofContact(at, contact, body.contacts, country))
      : []),
  ]);
}

/** The same of a contact, by the place at which it was sent (DESK-04). */
function ofContact(at: number, { email, phone }: Contact, sent: unknown, country: string): Advice[] {
  const typed = (sent as { phone?: unknown }[])[at]?.phone;
  const field = contactField(at, 'email');
  const mail = mailAdvice(email);
  return [
    ofPhone(contactField(at, 'phone'), typeof typed === 'string' ? typed : phone, phone, country),
    {
      ...(mail.warnings?.email && { warnings: { [field]: mail.warnings.email } }),
      ...(mail.suggestions?.email !== undefined && { suggestions: { [field]: mail.suggestions.email } }),
    },
  ];
}

function ofPhone(field: string, typed: string, stored: string, country: string): Advice {
  const advice = phoneAdvice(typed, stored, country);
  const suggestion = advice?.suggestion;
  if (!advice || !suggestion) return {};
  // The second phone is any text; its sentence names what is stored, but no plus that is not there.
  const named = field === 'phone_secondary' ? stored : withPlus(stored);
  return {
    warnings: { [field]: [phoneWarning(named, { ...advice, suggestion })] },
    suggestions: { [field]: suggestion },
  };
}
