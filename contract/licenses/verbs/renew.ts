import { z } from 'zod';
import { coded } from '../../base/field-errors.ts';
import { VALIDITY_DAYS_MAX } from '../../base/limits.ts';
import { currencyCode, monthCount, positiveCount, reference, updatesDays } from '../../base/numbers.ts';
import { isCalendarDay } from '../../base/text.ts';
import { salePayment } from '../../payments/sale-payment.ts';
import { priceOrNothing, priceRules } from '../complimentary.ts';
import { LICENSE_CATEGORIES, LICENSE_MESSAGES } from '../licenses.fields.ts';
import { oneLength } from '../one-length.ts';
import {
  notify,
  RENEWAL_KINDS,
  type Reads,
  type RenewalKind,
  reason,
  refusedBeforeStart,
  refusedBy,
  refusedWithoutEnd,
  type VerbDefinition,
} from './definition.ts';

export const RENEWAL_MESSAGES = {
  typeForTrial: 'Elige el tipo de licencia con el que sigue la prueba',
  endBeforeStart: 'La nueva fecha debe ser posterior al inicio del periodo',
} as const;

const expiryDay = z
  .string()
  .trim()
  .refine(
    (text) => isCalendarDay(text) && /^(19|[2-9]\d)\d\d-/.test(text) && !text.startsWith('9999'),
    LICENSE_MESSAGES.expiryDate,
  );

const renewalTerms = {
  kind: z.enum(RENEWAL_KINDS, 'Indica renewal o maintenance').default('renewal'),
  /** Only for `maintenance`. Default: the days of the type, else 365. */
  updates_days: updatesDays.optional(),
  expiry_days: positiveCount(LICENSE_MESSAGES.expiryDays, VALIDITY_DAYS_MAX).optional(),
  /** The new term ends on the same day of the month, so many months on (MONEY-10). */
  expiry_months: monthCount.nullable().optional(),
  /** The last day of the new term. It takes precedence over days and months. */
  expiry_date: expiryDay.optional(),
  /** Above 0, but for a courtesy. */
  price: priceOrNothing(LICENSE_MESSAGES.price).optional(),
  /** The new term is a courtesy, at no price (MONEY-09). */
  complimentary: z.boolean().optional(),
  /** The currency of `price`. Default: that of the given type, else that of the licence. */
  currency: currencyCode.optional(),
  license_type_config: reference(LICENSE_MESSAGES.type).optional(),
  license_type: z.enum(LICENSE_CATEGORIES, LICENSE_MESSAGES.category).optional(),
  /** Where the new term begins: at the end of the last term, or now. */
  from: z.enum(['expiry', 'today'], 'Indica expiry o today').optional(),
};

/** Types have no price for updates, so the call must give one. */
function maintenanceHasPrice() {
  return z.refine((body) => !lacksPrice(body), {
    path: ['price'],
    ...coded('required', LICENSE_MESSAGES.price),
    // Checked together with the fields, so that the caller sees all errors at once.
    when: () => true,
  });
}

/** Runs before the fields are validated, so it accepts any shape. */
function lacksPrice(body: unknown): boolean {
  const { kind, price = null, complimentary } = (body ?? {}) as Record<string, unknown>;
  return kind === 'maintenance' && price === null && complimentary !== true;
}

const rules = [
  maintenanceHasPrice(),
  oneLength,
  ...priceRules(LICENSE_MESSAGES.price, { needsPrice: false }),
] as const;

export const licenseRenewalPreview = z.object(renewalTerms).check(...rules);

const ALL_UPDATES = 'La licencia incluye todas las actualizaciones: no hay nada que renovar';

export const renew = {
  permission: 'licenses:renew',
  event: 'license.renewed',
  mail: 'license_renewed',
  /**
   * Terms that are absent come from the given type, else from the last term (LIFE-02). After a courtesy the call names
   * the type, the price, or another courtesy (MONEY-09). A `maintenance` renewal reads
   * only `price`, which is required, `currency` and `updates_days` (SELL-02).
   */
  body: z
    .object({ ...renewalTerms, notify: notify(true), reason, payment: salePayment.optional() })
    .check(...rules),
  example: { expiry_days: 365, price: 1200 },
  inBulk: true,
  endsRequest: true,
  refusal: (
    license: Reads<'status' | 'expiry_date' | 'updates_until' | 'activate_by'>,
    kind: RenewalKind,
  ) => {
    const refused =
      refusedBy(license, { suspended: 'La licencia está suspendida. Reactívala antes de renovarla.' }) ??
      refusedBeforeStart(license);
    if (refused || kind === 'renewal') return refused ?? refusedWithoutEnd(license);
    return license.updates_until === null ? { code: 'not_renewable', message: ALL_UPDATES } : null;
  },
  leadsTo: () => ['active'],
} as const satisfies VerbDefinition;
