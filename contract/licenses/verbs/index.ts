import { z } from 'zod';
import { addSeats } from './add-seats.ts';
import { cancel } from './cancel.ts';
import type { RenewalKind, VerbDefinition } from './definition.ts';
import { extend } from './extend.ts';
import { reinstate } from './reinstate.ts';
import { renew } from './renew.ts';
import { replaceKey } from './replace-key.ts';
import { suspend } from './suspend.ts';
import { transfer } from './transfer.ts';

/** The verbs on a licence, each with its file. A PUT may still set any status (SEED-4-10). */
export const VERBS = {
  renew,
  add_seats: addSeats,
  extend,
  suspend,
  reinstate,
  cancel,
  transfer,
  replace_key: replaceKey,
} as const;

export type LicenseAction = keyof typeof VERBS;

/** A verb as its definition says it, for what reads every verb alike. */
export const verbOf = (action: LicenseAction): VerbDefinition => VERBS[action];

type Verb<Action extends LicenseAction> = (typeof VERBS)[Action];

/** The fields of a verb's call. */
export type ActionFields<Action extends LicenseAction> = z.output<Verb<Action>['body']>;

// The type of Object.keys loses the names, so a cast restores them.
export const LICENSE_ACTIONS = Object.keys(VERBS) as LicenseAction[];

/** The verbs that are also bulk actions (LIFE-06). */
export type BulkLifeAction = {
  [Action in LicenseAction]: Verb<Action> extends { inBulk: true } ? Action : never;
}[LicenseAction];
export const BULK_LIFE_ACTIONS = LICENSE_ACTIONS.filter(
  (action): action is BulkLifeAction => VERBS[action].inBulk,
);

/** The event of each verb, in their order. */
export const VERB_EVENTS = Object.values(VERBS).map(({ event }) => event);

/** What the guard of a verb reads; of several verbs, what any of them reads. */
export type ActionState<Action extends LicenseAction> = Verb<Action>['refusal'] extends (
  license: infer State,
  kind: RenewalKind,
) => unknown
  ? State
  : never;

/**
 * Decides whether a verb is possible, by its own guard.
 * @param kind what a renewal sells
 * @returns null if it is possible, else a code, and a text that says what to do first
 */
export function actionRefusal<Action extends LicenseAction>(
  action: Action,
  state: ActionState<Action>,
  kind: RenewalKind = 'renewal',
): ReturnType<Verb<Action>['refusal']> {
  // The casts are needed because the compiler does not know that the state is the one of this verb.
  const refusal = VERBS[action].refusal as (state: ActionState<Action>, kind: RenewalKind) => unknown;
  return refusal(state, kind) as ReturnType<Verb<Action>['refusal']>;
}

/**
 * What the body of a verb says of the two fields that most have: whether a reason is asked for, and whether the client
 * gets the mail unless the call says otherwise; null for a verb without a mail.
 */
export function commonFields(action: LicenseAction): {
  reason: 'none' | 'optional' | 'required';
  notify: boolean | null;
} {
  const { mail, body } = verbOf(action);
  const { reason, notify } = body.shape;
  const needsReason = reason && !z.safeParse(reason, undefined).success;
  return {
    reason: reason ? (needsReason ? 'required' : 'optional') : 'none',
    notify: mail !== null && notify ? z.safeParse(notify, undefined).data === true : null,
  };
}
