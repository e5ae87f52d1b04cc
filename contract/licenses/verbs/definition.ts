import { z } from 'zod';
import type { ErrorCode } from '../../base/errors.ts';
import { optionalLine } from '../../base/text.ts';
import type { LicenseMailKind } from '../../mail/mails.ts';
import type { Permission } from '../../people/permissions.ts';
import type { LicenseStatus } from '../licenses.fields.ts';
import type { LicenseRow } from '../licenses.ts';

/**
 * The columns of a licence by which a verb may refuse. Rows and answers store them alike, so that `can`, previews and
 * calls read the same.
 */
export const STATE_COLUMNS = [
  'status',
  'license_type',
  'issued_date',
  'expiry_date',
  'updates_until',
  /** Null once the term has started. */
  'activate_by',
  'grace_days',
  'offline_days',
  'lease_minutes',
  'max_installations',
  'current_installations',
  'complimentary',
] as const satisfies (keyof LicenseRow)[];

/**
 * What decides which verbs are possible: columns, whether the last term has had an extension, and whether the end has
 * passed at this moment.
 */
export type LicenseState = Pick<LicenseRow, (typeof STATE_COLUMNS)[number]> & {
  is_extended: boolean;
  is_expired: boolean;
};

/** What the guard of one verb reads of it. */
export type Reads<Name extends keyof LicenseState> = Pick<LicenseState, Name>;

/** What a renewal sells: another term of the licence, or only more days of updates (SELL-02). */
export const RENEWAL_KINDS = ['renewal', 'maintenance'] as const;
export type RenewalKind = (typeof RENEWAL_KINDS)[number];

/** Why a verb is not possible: a code, and a text that says what to do first. */
type Refusal = { code: ErrorCode; message: string };

/**
 * An action on a licence after its issue (LIFE-02 to LIFE-04). Its call, event type, `can`, bulk action, and its rows
 * and arrows in the docs follow from it.
 */
export type VerbDefinition = {
  permission: Permission;
  event: `license.${string}`;
  /** The mail to the client, sent if `notify` of the body is true. Null: the verb sends none. */
  mail: Exclude<LicenseMailKind, 'license_reminder'> | null;
  /** The fields of the call, with an example for the API's document. */
  body: z.ZodObject;
  example: object;
  /** True if the verb is also a bulk action (LIFE-06). */
  inBulk: boolean;
  /** True if `refusal` reads `is_extended`, which is no column: the server asks the terms for it. */
  asksTerm?: true;
  /**
   * The guard, asked by `can`, previews and the call itself (LIFE-03, LIFE-05).
   * @param kind what a renewal sells
   * @returns null if the verb is possible
   */
  refusal: (license: LicenseState, kind: RenewalKind) => Refusal | null;
  /** True if it cancels the open payment request of the licence (PAY-01). */
  endsRequest?: true;
  /** The statuses to which it may lead from a status. Absent: the status stays. */
  leadsTo?: (from: LicenseStatus) => readonly LicenseStatus[];
};

/** The field `reason` of a verb that does not require one. */
export const reason = optionalLine(500).prefault('');

/** The field `notify`: whether the client gets the mail of the verb. */
export const notify = (unlessSaid: boolean) => z.boolean().default(unlessSaid);

const CANCELLED = 'La licencia está cancelada y no admite más acciones. Emite una licencia nueva.';

/**
 * The refusal by status: of a cancelled licence, and of those with a text here.
 * @returns null if the status allows the verb
 */
export function refusedBy(
  { status }: Reads<'status'>,
  texts: Partial<Record<LicenseStatus, string>> = {},
): Refusal | null {
  const message = status === 'cancelled' ? CANCELLED : texts[status];
  return message === undefined ? null : { code: 'invalid_transition', message };
}

const NOT_STARTED = 'Aún no empieza: su plazo corre desde la primera activación';

/** The refusal for a licence whose term has not started yet (SELL-01). */
export const refusedBeforeStart = ({ activate_by }: Reads<'activate_by'>): Refusal | null =>
  activate_by === null ? null : { code: 'not_renewable', message: NOT_STARTED };

const NO_END = 'La licencia no vence: no hay nada que renovar';

/** The refusal for a licence without an end. */
export const refusedWithoutEnd = ({ expiry_date }: Reads<'expiry_date'>): Refusal | null =>
  expiry_date === null ? { code: 'not_renewable', message: NO_END } : null;
