import { EXPIRING_WEEK_DAYS } from '../base/limits.ts';
import type { Permission } from '../people/permissions.ts';

/** What 'Para hoy' has, for the console too: no schema is among it, which the dashboard would have to load (DESK-01). */

/** The kinds, in their order of urgency. */
export const TODAY_KINDS = [
  'transfer_notified',
  'payment_review',
  'client_request',
  'refused_program',
  'note_due',
  'expiring',
  'trial_ending',
  'expired_unrenewed',
  'mail_failed',
  'webhook_disabled',
  'backup_late',
] as const;
export type TodayKind = (typeof TODAY_KINDS)[number];

/**
 * The permission of each kind, to see its rows and to mark them. Null for `note_due`: those may who may write notes
 * (DESK-02), which is no single permission.
 */
export const TODAY_PERMISSIONS: Readonly<Record<TodayKind, Permission | null>> = {
  transfer_notified: 'payments:write',
  payment_review: 'payments:write',
  client_request: 'clients:write',
  refused_program: 'installations:release',
  note_due: null,
  expiring: 'licenses:renew',
  trial_ending: 'licenses:renew',
  expired_unrenewed: 'licenses:renew',
  mail_failed: 'mails:send',
  webhook_disabled: 'webhooks:manage',
  backup_late: 'settings:manage',
};

/** What the one button of a row does. */
export const TODAY_ACTIONS = [
  'confirm_transfer',
  'review_payment',
  'answer_request',
  'release_machine',
  'explain_refusal',
  'open_note',
  'renew_license',
  'resend_mail',
  'enable_webhook',
  'check_backup',
] as const;
export type TodayAction = (typeof TODAY_ACTIONS)[number];

/** The action of each kind. A program that no free seat would help has `explain_refusal`. */
export const TODAY_ACTION_OF: Readonly<Record<TodayKind, TodayAction>> = {
  transfer_notified: 'confirm_transfer',
  payment_review: 'review_payment',
  client_request: 'answer_request',
  refused_program: 'release_machine',
  note_due: 'open_note',
  expiring: 'renew_license',
  trial_ending: 'renew_license',
  expired_unrenewed: 'renew_license',
  mail_failed: 'resend_mail',
  webhook_disabled: 'enable_webhook',
  backup_late: 'check_backup',
};

/** For how many local days some kinds are shown: before the end of a licence, and after what happened. */
export const TODAY_DAYS = {
  refused_program: 7,
  expiring: EXPIRING_WEEK_DAYS,
  trial_ending: 3,
  expired_unrenewed: 14,
} as const satisfies Partial<Record<TodayKind, number>>;

/** The most rows of an answer, and the number at which `count` stops. */
export const TODAY_MAX = 50;
export const TODAY_COUNT_MAX = 100;
/** For how many days a mark is kept, at least. */
export const TODAY_MARK_DAYS = 90;

export const TODAY_MESSAGES = {
  notFound: 'Ya no está en la lista de hoy',
  untilAfterToday: 'Elige un día después de hoy',
} as const;

/** What a row is about. Written `kind:record:fact`. Another fact, such as another end, is another matter. */
export type TodayMatter = { kind: TodayKind; record: number; fact: string };

export const todayIdOf = ({ kind, record, fact }: TodayMatter): string => `${kind}:${record}:${fact}`;

/** @returns what an id names; null if no row can have this id */
export function readTodayId(id: string): TodayMatter | null {
  const match = /^([a-z_]{1,40}):([1-9]\d{0,14}):([a-z0-9_-]{1,60})$/.exec(id);
  const kind = TODAY_KINDS.find((one) => one === match?.[1]);
  return match && kind ? { kind, record: Number(match[2]), fact: match[3]! } : null;
}
