import type { LicenseAnswer, LicenseRowAnswer } from '../../../contract/licenses/license-can.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { vendorCurrency } from '../../text/format.ts';

/** A licence in any form that a server may send: numbers as text, related records as ids. */
type Loose<Row> = { [Field in keyof Row]?: unknown };

const number = (value: unknown): number | null => {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : null;
};
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A related record as an object, from a nested record or from an id with flat fields (D092). */
function relation(value: unknown): { id: number; parts: Record<string, unknown> } {
  if (typeof value === 'object' && value !== null) {
    // The cast is safe: each value is checked where it is read.
    const parts = value as Record<string, unknown>;
    return { id: number(parts.id) ?? 0, parts };
  }
  return { id: number(value) ?? 0, parts: {} };
}

/**
 * Converts a licence to nested records and numbers, from any form that the specification allows: related records as
 * ids or nested (D092), decimals as text (D093), without the number of free seats and the currency.
 */
export function readLicense<Row extends LicenseRowAnswer | LicenseAnswer>(answer: Row): Row {
  const raw: Loose<LicenseRow> = answer;
  const client = relation(raw.client);
  const software = relation(raw.software);
  const clientName = text(raw.client_name) || text(client.parts.name);
  const clientEmail = text(raw.client_email) || text(client.parts.email);
  const softwareName = text(raw.software_name) || text(software.parts.name);
  const softwareVersion = text(raw.software_version) || text(software.parts.version);
  const softwareDescription = text(raw.software_description) || text(software.parts.description);
  const seats = number(raw.max_installations) ?? 0;
  const used = number(raw.current_installations) ?? 0;
  return {
    ...answer,
    client: {
      id: client.id,
      name: clientName,
      email: clientEmail,
      company: text(client.parts.company),
    },
    client_name: clientName,
    client_email: clientEmail,
    client_phone: text(raw.client_phone) || text(client.parts.phone),
    software: {
      id: software.id,
      name: softwareName,
      version: softwareVersion,
      description: softwareDescription,
    },
    software_name: softwareName,
    software_version: softwareVersion,
    software_description: softwareDescription,
    price: number(raw.price) ?? 0,
    complimentary: answer.complimentary === true,
    currency: answer.currency ?? vendorCurrency(),
    original_price: number(raw.original_price),
    discount_percentage: number(raw.discount_percentage) ?? 0,
    promotion_name: text(raw.promotion_name),
    promotion_description: text(raw.promotion_description),
    notes: text(raw.notes),
    max_installations: seats,
    current_installations: used,
    remaining_installations: number(raw.remaining_installations) ?? Math.max(0, seats - used),
    days_remaining: number(raw.days_remaining),
    expiry_date: text(raw.expiry_date) || null,
    email_status: raw.email_status ?? null,
    email_transport: raw.email_transport ?? null,
    can: answer.can ?? [],
  };
}
