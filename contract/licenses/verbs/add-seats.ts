import { z } from 'zod';
import { positiveCount, positiveMoney } from '../../base/numbers.ts';
import { salePayment } from '../../payments/sale-payment.ts';
import { isTrial } from '../license-lifecycle.ts';
import { LICENSE_MESSAGES } from '../licenses.fields.ts';
import { notify, type Reads, refusedBeforeStart, refusedBy, type VerbDefinition } from './definition.ts';

export const SEATS_MESSAGES = {
  quantity: 'Los lugares deben ser un número entero mayor a 0',
  tooMany: 'La licencia tendría demasiados lugares',
  price: 'Escribe el precio: no hay un tipo de licencia del que salga',
  trial: 'Es una prueba. Renuévala con un tipo de licencia antes de agregar lugares.',
  courtesy: 'Es una cortesía. Renuévala con un precio antes de agregar lugares.',
  expired: 'La licencia venció. Renuévala antes de agregar lugares.',
} as const;

const seatsTerms = {
  quantity: positiveCount(SEATS_MESSAGES.quantity),
  /** Default: what the seats of the licence's type cost until the end. */
  price: positiveMoney(LICENSE_MESSAGES.price).optional(),
};

export const licenseSeatsPreview = z.object(seatsTerms).meta({ examples: [{ quantity: 2 }] });

/** Sells more seats until the end of the licence (MONEY-08). */
export const addSeats = {
  permission: 'licenses:renew',
  event: 'license.seats_added',
  mail: 'license_renewed',
  body: z.object({ ...seatsTerms, notify: notify(true), payment: salePayment.optional() }),
  example: { quantity: 2 },
  inBulk: false,
  refusal: (license: Reads<'status' | 'license_type' | 'activate_by' | 'complimentary' | 'is_expired'>) => {
    const refused =
      refusedBy(license, {
        suspended: 'La licencia está suspendida. Reactívala antes de agregar lugares.',
      }) ?? refusedBeforeStart(license);
    if (refused) return refused;
    if (isTrial(license)) return { code: 'not_renewable', message: SEATS_MESSAGES.trial };
    if (license.complimentary) return { code: 'not_renewable', message: SEATS_MESSAGES.courtesy };
    return license.status === 'expired' || license.is_expired
      ? { code: 'not_renewable', message: SEATS_MESSAGES.expired }
      : null;
  },
} as const satisfies VerbDefinition;
