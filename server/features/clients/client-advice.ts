import { type Advice, joinAdvice } from '../../../contract/base/advice.ts';
import { withPlus } from '../../../contract/clients/clients.fields.ts';
import type { Client } from '../../../contract/clients/clients.ts';
import { taxIdWarnings } from '../../../contract/clients/tax-ids.ts';
import { mailAdvice } from '../../../contract/reading/mail-suggestions.ts';
import { phoneAdvice, phoneWarning } from '../../../contract/reading/phones.ts';

type Doubted = Pick<Client, 'country' | 'email' | 'phone' | 'phone_secondary' | 'tax_id'>;

/**
 * What the answer to a save of a client says: about a tax id with a fault (MONEY-02), a phone that is not one of the
 * client's country but was typed as one (INPUT-02), and a slip in the domain of the mail address (INPUT-14).
 * @param client as stored
 * @param sent the body as it was sent: whether a phone had a plus is not seen in the stored one (D048)
 */
export function clientAdvice(client: Doubted, sent: unknown): Advice {
  const { country, email, phone, phone_secondary, tax_id } = client;
  const typed = (field: 'phone' | 'phone_secondary') => {
    const value: unknown = (sent as Partial<Record<string, unknown>>)[field];
    return typeof value === 'string' ? value : client[field];
  };
  return joinAdvice([
    { warnings: { tax_id: taxIdWarnings(country, tax_id) } },
    ofPhone('phone', typed('phone'), phone, country),
    ofPhone('phone_secondary', typed('phone_secondary'), phone_secondary, country),
    mailAdvice(email),
  ]);
}

function ofPhone(field: string, typed: string, stored: string, country: string): Advice {
  const advice = phoneAdvice(typed, stored, country);
  const suggestion = advice?.suggestion;
  if (!advice || !suggestion) return {};
  // The second phone is any text; its sentence names what is stored, but no plus that is not there.
  const named = field === 'phone' ? withPlus(stored) : stored;
  return {
    warnings: { [field]: [phoneWarning(named, { ...advice, suggestion })] },
    suggestions: { [field]: suggestion },
  };
}
