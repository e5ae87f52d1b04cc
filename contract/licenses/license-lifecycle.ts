import { z } from 'zod';
import { ERROR_CODES } from '../base/errors.ts';
import { coded } from '../base/field-errors.ts';
import { VALIDITY_DAYS_MAX } from '../base/limits.ts';
import { currencyCode, positiveCount, positiveMoney, reference, updatesDays } from '../base/numbers.ts';
import { isCalendarDay, optionalLine, requiredLine } from '../base/text.ts';
import { isExpired } from '../base/time.ts';
import type { LicenseMailKind } from '../mail/mails.ts';
import type { Permission } from '../people/permissions.ts';
import type { EventType } from '../system/events.ts';
import { LICENSE_CATEGORIES, LICENSE_MESSAGES, type LicenseStatus } from './licenses.fields.ts';

/** True for a trial. Its renewal needs a type, because the terms of a trial are not those of a sale (LIFE-02). */
export const isTrial = ({ status, license_type }: { status: LicenseStatus; license_type: string }) =>
  status === 'trial' || license_type === 'trial';

/** The instant to which days are added: the end of the licence, or now if it has ended (LIFE-02, LIFE-03). */
export const countsFrom = ({ expiry_date }: { expiry_date: string }, now: Date): string =>
  isExpired(expiry_date, now) ? now.toISOString() : expiry_date;

export const LIFECYCLE_MESSAGES = {
  typeForTrial: 'Elige el tipo de licencia con el que sigue la prueba',
  endBeforeStart: 'La nueva fecha debe ser posterior al inicio del periodo',
  reason: 'El motivo es obligatorio',
  days: 'Los días de prórroga deben estar entre 1 y 60',
  sameClient: 'La licencia ya es de este cliente',
  inactiveClient: 'El cliente no está activo',
} as const;

export const EXTENSION_DAYS_MAX = 60;
const reason = optionalLine(500).prefault('');

const expiryDay = z
  .string()
  .trim()
  .refine(
    (text) => isCalendarDay(text) && /^(19|[2-9]\d)\d\d-/.test(text) && !text.startsWith('9999'),
    LICENSE_MESSAGES.expiryDate,
  );

/** What a renewal sells: another term of the licence, or only more days of updates (SELL-02). */
export const RENEWAL_KINDS = ['renewal', 'maintenance'] as const;
export type RenewalKind = (typeof RENEWAL_KINDS)[number];

const renewalTerms = {
  kind: z.enum(RENEWAL_KINDS, 'Indica renewal o maintenance').default('renewal'),
  /** Only for `maintenance`. Default: the days of the type, else 365. */
  updates_days: updatesDays.optional(),
  expiry_days: positiveCount(LICENSE_MESSAGES.expiryDays, VALIDITY_DAYS_MAX).optional(),
  /** The last day of the new term. It takes precedence over `expiry_days`. */
  expiry_date: expiryDay.optional(),
  price: positiveMoney(LICENSE_MESSAGES.price).optional(),
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
  const { kind, price = null } = (body ?? {}) as Record<string, unknown>;
  return kind === 'maintenance' && price === null;
}

/**
 * Terms that are absent come from the given type, else from the last term (LIFE-02). A `maintenance` renewal reads
 * only `price`, which is required, `currency` and `updates_days` (SELL-02).
 */
export const licenseRenewal = z
  .object({ ...renewalTerms, notify: z.boolean().default(true), reason })
  .check(maintenanceHasPrice());
export const licenseRenewalPreview = z.object(renewalTerms).check(maintenanceHasPrice());

export const licenseSuspension = z.object({ reason, notify: z.boolean().default(false) });
export const licenseReinstatement = z.object({
  /** Adds the days of the suspension to the end of the licence. */
  extend: z.boolean().default(false),
  notify: z.boolean().default(false),
});
export const licenseCancellation = z.object({ reason, notify: z.boolean().default(false) });
export const licenseExtension = z.object({
  days: positiveCount(LIFECYCLE_MESSAGES.days).max(EXTENSION_DAYS_MAX, LIFECYCLE_MESSAGES.days),
  reason: requiredLine(500, LIFECYCLE_MESSAGES.reason),
  notify: z.boolean().default(true),
});
export const licenseTransfer = z.object({
  client: reference(LICENSE_MESSAGES.client),
  release_seats: z.boolean().default(true),
  notify: z.boolean().default(true),
  reason,
});
export const licenseKeyReplacement = z.object({ reason, notify: z.boolean().default(true) });

/** An action on a licence after its issue (LIFE-02 to LIFE-04). */
type Transition = {
  permission: Permission;
  event: EventType;
  /** The mail to the client, sent if `notify` is true. */
  mail: Exclude<LicenseMailKind, 'license_reminder'>;
  body: z.ZodType;
  /** True if the action needs a licence that has an end. */
  needsEnd: boolean;
  /** True if the action is also a bulk action (LIFE-06). */
  inBulk: boolean;
  /** For each stored status: null if the action is possible, else the text of the refusal. */
  refused: Record<LicenseStatus, string | null>;
};

const CANCELLED = 'La licencia está cancelada y no admite más acciones. Emite una licencia nueva.';
const NO_END = 'La licencia no vence: no hay nada que renovar';
const NOT_STARTED = 'Aún no empieza: su plazo corre desde la primera activación';
const ALL_UPDATES = 'La licencia incluye todas las actualizaciones: no hay nada que renovar';
const NOT_SUSPENDED = 'La licencia no está suspendida';
const NOT_IN_USE = 'Solo se suspende una licencia activa o de prueba';
/** Possible for every status except 'cancelled'. */
const UNLESS_CANCELLED = {
  active: null,
  trial: null,
  expired: null,
  inactive: null,
  suspended: null,
  cancelled: CANCELLED,
};

/** The actions on a licence, with the statuses that allow each. A PUT may still set any status (SEED-4-10). */
export const TRANSITIONS = {
  renew: {
    permission: 'licenses:renew',
    event: 'license.renewed',
    mail: 'license_renewed',
    body: licenseRenewal,
    needsEnd: true,
    inBulk: true,
    refused: {
      ...UNLESS_CANCELLED,
      suspended: 'La licencia está suspendida. Reactívala antes de renovarla.',
    },
  },
  extend: {
    permission: 'licenses:renew',
    event: 'license.extended',
    mail: 'license_extended',
    body: licenseExtension,
    needsEnd: true,
    inBulk: false,
    refused: {
      ...UNLESS_CANCELLED,
      inactive: 'La licencia está inactiva. Renuévala en lugar de dar una prórroga.',
      suspended: 'La licencia está suspendida. Reactívala antes de dar una prórroga.',
    },
  },
  suspend: {
    permission: 'licenses:suspend',
    event: 'license.suspended',
    mail: 'license_suspended',
    body: licenseSuspension,
    needsEnd: false,
    inBulk: true,
    refused: {
      active: null,
      trial: null,
      expired: NOT_IN_USE,
      inactive: NOT_IN_USE,
      suspended: 'La licencia ya está suspendida',
      cancelled: CANCELLED,
    },
  },
  reinstate: {
    permission: 'licenses:suspend',
    event: 'license.reinstated',
    mail: 'license_reinstated',
    body: licenseReinstatement,
    needsEnd: false,
    inBulk: true,
    refused: {
      active: NOT_SUSPENDED,
      trial: NOT_SUSPENDED,
      expired: NOT_SUSPENDED,
      inactive: NOT_SUSPENDED,
      suspended: null,
      cancelled: CANCELLED,
    },
  },
  cancel: {
    permission: 'licenses:write',
    event: 'license.cancelled',
    mail: 'license_cancelled',
    body: licenseCancellation,
    needsEnd: false,
    inBulk: true,
    refused: UNLESS_CANCELLED,
  },
  transfer: {
    permission: 'licenses:write',
    event: 'license.transferred',
    mail: 'license_transferred',
    body: licenseTransfer,
    needsEnd: false,
    inBulk: false,
    refused: UNLESS_CANCELLED,
  },
  replace_key: {
    permission: 'licenses:write',
    event: 'license.key_replaced',
    mail: 'key_replaced',
    body: licenseKeyReplacement,
    needsEnd: false,
    inBulk: false,
    refused: UNLESS_CANCELLED,
  },
} as const satisfies Record<string, Transition>;

export type LicenseAction = keyof typeof TRANSITIONS;
/** The fields of an action's call. */
export type ActionFields<Action extends LicenseAction> = z.output<(typeof TRANSITIONS)[Action]['body']>;

// The type of Object.keys loses the names, so a cast restores them.
export const LICENSE_ACTIONS = Object.keys(TRANSITIONS) as LicenseAction[];

/** The lifecycle actions that are also bulk actions (LIFE-06). */
export type BulkLifeAction = {
  [Action in LicenseAction]: (typeof TRANSITIONS)[Action] extends { inBulk: true } ? Action : never;
}[LicenseAction];
export const BULK_LIFE_ACTIONS = LICENSE_ACTIONS.filter(
  (action): action is BulkLifeAction => TRANSITIONS[action].inBulk,
);

/** The fields of a licence that decide which actions are possible. */
export type TransitionState = {
  status: LicenseStatus;
  expiry_date: string | null;
  updates_until: string | null;
  /** Null once the term has started. */
  activate_by: string | null;
};

/** What decides about an action. Only an extension depends on the last term, which is no field of the licence. */
export type ActionState<Action extends LicenseAction> = TransitionState &
  ('extend' extends Action ? { is_extended: boolean } : object);

type ActionRefusal<Action extends LicenseAction> = {
  code: 'invalid_transition' | 'not_renewable' | ('extend' extends Action ? 'already_extended' : never);
  message: string;
};

/**
 * Decides whether an action is possible (LIFE-03, LIFE-05). `can`, previews and the call itself ask it.
 * @param kind what a renewal sells
 * @returns null if the action is possible, else a code, and a text that says what to do first
 */
export function actionRefusal<Action extends LicenseAction>(
  action: Action,
  state: ActionState<Action>,
  kind: RenewalKind = 'renewal',
): ActionRefusal<Action> | null {
  const { status, expiry_date, updates_until, activate_by } = state;
  const { refused, needsEnd } = TRANSITIONS[action];
  const message = refused[status];
  if (message !== null) return { code: 'invalid_transition', message };
  if (!needsEnd) return null;
  if (activate_by !== null) return { code: 'not_renewable', message: NOT_STARTED };
  if (action === 'renew' && kind === 'maintenance') {
    return updates_until === null ? { code: 'not_renewable', message: ALL_UPDATES } : null;
  }
  if (expiry_date === null) return { code: 'not_renewable', message: NO_END };
  if (action !== 'extend' || !('is_extended' in state) || !state.is_extended) return null;
  // The cast is safe: only an extension gets here, and its refusals include this code.
  return { code: 'already_extended', message: ERROR_CODES.already_extended } as ActionRefusal<Action>;
}

export const TERM_KINDS = ['issue', 'renewal', 'upgrade', 'maintenance'] as const;
export type TermKind = (typeof TERM_KINDS)[number];

/** One sale of a licence: its first term, or a renewal (LIFE-01). */
const licenseTerm = z
  .object({
    id: z.number().int(),
    kind: z.enum(TERM_KINDS),
    license_type_config: z.number().int().nullable(),
    /** Null while the licence waits for its first activation. */
    starts: z.string().nullable(),
    ends: z.string().nullable(),
    price: z.number(),
    currency: currencyCode,
    promotion_name: z.string(),
    created_at: z.string(),
    /** Who sold it; null if the licence was stored without an event. */
    actor: z.object({ kind: z.string(), id: z.number().int().nullable(), name: z.string() }).nullable(),
  })
  .meta({ id: 'LicenseTerm' });
export type LicenseTerm = z.infer<typeof licenseTerm>;

export const licenseTerms = z.object({ results: z.array(licenseTerm) }).meta({ id: 'LicenseTerms' });

export const renewalPreview = z
  .object({ starts: z.string(), ends: z.string(), price: z.number(), currency: currencyCode })
  .meta({ id: 'RenewalPreview' });
export type RenewalPreview = z.infer<typeof renewalPreview>;
