import { z } from 'zod';
import { currencyCode } from '../base/numbers.ts';
import { REASON_REQUIRED } from '../base/required.ts';
import { requiredLine } from '../base/text.ts';
import { mail } from '../mail/mails.ts';
import { note } from '../notes/notes.ts';
import { paymentRequest } from '../payments/payment-requests.ts';
import { payment } from '../payments/payments.ts';
import { check } from '../programs/checks.ts';
import { event } from '../system/events.ts';
import { clientDetails } from './clients.ts';

/** Privacy requests of a client: a copy of all its data, or their erasure (docs/privacy.md). */

export const PRIVACY_MESSAGES = {
  holding: (count: number) =>
    count === 1
      ? 'No se pueden borrar los datos: el cliente tiene una licencia que no ha terminado. Cancélala o espera a su fin.'
      : `No se pueden borrar los datos: el cliente tiene ${count} licencias que no han terminado. Cancélalas o espera a su fin.`,
  mailUnderWay: 'Hay un correo para este cliente en camino. Intenta de nuevo en unos minutos.',
} as const;

export const PRIVACY_RESULTS = { erased: 'Los datos personales del cliente se borraron' } as const;

/**
 * The name of a client after its data were erased. In stored events, the database allows a client's name to change
 * only to this.
 */
export const erasedName = (id: number): string => `Cliente borrado ${id}`;

/** The email address of an erased client: unique, in a domain that cannot receive mail (RFC 2606). */
export const erasedEmail = (id: number): string => `cliente-${id}@${ERASED_DOMAIN}`;
export const ERASED_DOMAIN = 'borrado.invalid';

/** `POST clients/{id}/erase/` */
export const clientErasure = z
  .object({ reason: requiredLine(500, REASON_REQUIRED) })
  .meta({ examples: [{ reason: 'Solicitud del titular del 3 de noviembre' }] });

const term = z.object({
  license: z.number().int(),
  kind: z.string(),
  starts: z.string(),
  ends: z.string().nullable(),
  /** The last day that sold updates or seats cover; null for other sales (SELL-02, MONEY-08). */
  covers_until: z.string().nullable(),
  price: z.number(),
  currency: currencyCode,
  created_at: z.string(),
});

/** `GET clients/{id}/data/`: all that is stored about a client. */
export const clientData = z
  .object({
    exported_at: z.string(),
    /** The client, with all its licences and their installations. */
    client: clientDetails,
    /** The sales of its licences. */
    terms: z.array(term),
    certificates: z.array(z.object({ license: z.number().int(), code: z.string(), created_at: z.string() })),
    /** What the staff noted about the client and its licences (DESK-02). */
    notes: z.array(note.omit({ can_change: true })).meta({
      description: 'Lo que anotó tu personal / What your staff noted',
    }),
    /** Payments requested from the client, and payments it made (PAY-01, PAY-06). */
    payment_requests: z.array(paymentRequest.omit({ url: true })).meta({
      description: 'Lo que se le pidió pagar / What it was asked to pay',
    }),
    payments: z.array(payment).meta({ description: 'Lo que pagó / What it paid' }),
    /** The local day of the last reminder; null if there was none. */
    reminded_on: z.string().nullable(),
    /** Mails to the client, with their content if it is still stored. */
    mails: z.array(mail),
    /** Recent validations by the client's installed programs (SELL-07). */
    checks: z
      .array(check)
      .meta({ description: 'Lo que preguntaron sus programas / What its programs asked' }),
    /** The names that its machines reported in the last days (INPUT-09). */
    machine_names: z
      .array(
        z.object({
          license: z.number().int(),
          day: z.string(),
          name: z.string(),
          machine_id: z.string(),
          at: z.string(),
        }),
      )
      .meta({ description: 'Nombres que dijeron sus equipos / Names that its machines reported' }),
    /** The client's events, oldest first. */
    events: z.array(event),
    /** The clients that were merged into this one, by their ids; the events say who they were (MERGE-01). */
    merged_clients: z
      .array(
        z.object({
          id: z.number().int(),
          merged_at: z.string().meta({ description: 'Cuándo se fusionó / When it was merged' }),
        }),
      )
      .meta({ description: 'Los que se fusionaron con este / Those merged into this one' }),
    /** Messages about the client that were sent to other systems of the vendor. */
    webhook_messages: z.array(
      z.object({ url: z.string(), type: z.string(), status: z.string(), created_at: z.string() }),
    ),
  })
  .meta({ id: 'ClientData' });
