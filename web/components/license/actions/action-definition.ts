import type { ReactNode } from 'react';
import type { LicenseAnswer } from '../../../../contract/licenses/license-can.ts';
import type { LicenseRow } from '../../../../contract/licenses/licenses.ts';
import { type NumberUnit, numberOf } from '../../../../contract/reading/numbers.ts';
import type { ToastAction, ToastLink } from '../../../ui/toasts.ts';
import type { FieldMessages } from '../../record/action-dialog.tsx';

export interface ActionFieldsProps<Own> {
  license: LicenseRow | null;
  values: Own;
  errors: FieldMessages;
  change: (changes: Partial<Own>) => void;
}

/**
 * The own fields of a verb in its dialog, beside the reason and the mail to the client. Icon and words are in
 * web/verbs/; the contract defines the body and the states in which the verb is possible.
 */
export interface ActionDefinition<Own extends object = object> {
  blank: Own;
  /** Initial values for a licence that differ from `blank`. */
  blankOf?(license: LicenseRow): Partial<Own>;
  /** Converts the form's values to the request body. */
  body(values: Own): object;
  Fields?(props: ActionFieldsProps<Own>): ReactNode;
  /** Shows the licence's state after the action. */
  Summary?(props: { license: LicenseRow; values: Own }): ReactNode;
  /** The recipient of the mail. Absent: the licence's client. Null: no recipient is chosen yet. */
  recipient?(values: Own): string | null;
  useOffersAfter?(): OffersAfter<Own>;
}

/** What the message after an action offers; `note` is said in it after the key. */
export interface OffersAfter<Own extends object = object> {
  of(
    changed: LicenseAnswer,
    values: Own,
  ): { action?: ToastAction | undefined; link?: ToastLink | undefined; note?: string } | undefined;
}

/** Checks the types of a verb's own fields. */
export const defineFields = <Own extends object>(definition: ActionDefinition<Own>) => definition;

/** The typed number; undefined for a blank text, NaN, which the schema refuses, for one that is no number. */
export const typedNumber = (text: string, unit: NumberUnit) => numberOf(text, unit) ?? undefined;
