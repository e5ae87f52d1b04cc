import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { LicenseAnswer } from '../../../../contract/licenses/license-can.ts';
import type { LicenseRow } from '../../../../contract/licenses/licenses.ts';
import type { LicenseAction } from '../../../../contract/licenses/verbs/index.ts';
import { numberOf } from '../../../components/record/typed-number.ts';
import type { ToastAction, ToastLink } from '../../../ui/toasts.ts';

export interface ActionFieldsProps<Own> {
  license: LicenseRow | null;
  values: Own;
  errors: Record<string, string>;
  change: (changes: Partial<Own>) => void;
}

/**
 * How the console shows an action on a licence. Its texts are in es-lifecycle.ts. The contract defines its request
 * body and the states in which it is possible.
 */
export interface ActionDefinition<Own extends object = object> {
  name: LicenseAction;
  icon: LucideIcon;
  /** Shown in red in the menu. */
  isDanger?: boolean;
  /** The initial value of the checkbox that mails the client (LIFE-02 to LIFE-04). */
  tells: boolean;
  reason: 'optional' | 'required' | 'none';
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
  useOffersAfter?(): (changed: LicenseAnswer) => { action: ToastAction; link: ToastLink | undefined };
}

/** Checks the types of an action's special fields. */
export const defineAction = <Own extends object>(definition: ActionDefinition<Own>) => definition;

/** A blank text is not sent. A text that is no number is sent unchanged, so that the schema reports the field. */
export const typedNumber = (text: string) => (text.trim() === '' ? undefined : (numberOf(text) ?? text));
