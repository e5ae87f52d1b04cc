import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { LicenseAnswer } from '../../../../contract/licenses/license-can.ts';
import type { LicenseAction } from '../../../../contract/licenses/license-lifecycle.ts';
import type { LicenseRow } from '../../../../contract/licenses/licenses.ts';
import { numberOf } from '../../../components/record/typed-number.ts';
import type { ToastAction, ToastLink } from '../../../ui/toasts.ts';

export interface ActionFieldsProps<Own> {
  license: LicenseRow | null;
  values: Own;
  errors: Record<string, string>;
  change: (changes: Partial<Own>) => void;
}

/**
 * What one action on a licence brings to the console. Its words are in es-lifecycle.ts; its body, and from which
 * states it is possible, in the contract.
 */
export interface ActionDefinition<Own extends object = object> {
  name: LicenseAction;
  icon: LucideIcon;
  /** Red in the menu. */
  isDanger?: boolean;
  /** Whether the client gets a mail unless the person says otherwise (LIFE-02 to LIFE-04). */
  tells: boolean;
  reason: 'optional' | 'required' | 'none';
  blank: Own;
  /** What it begins with for one licence, where that differs. */
  blankOf?(license: LicenseRow): Partial<Own>;
  /** They as the call sends them. */
  body(values: Own): object;
  Fields?(props: ActionFieldsProps<Own>): ReactNode;
  /** How the licence will be. */
  Summary?(props: { license: LicenseRow; values: Own }): ReactNode;
  /** Who gets the mail; absent: the licence's client. Null: nobody is chosen yet. */
  recipient?(values: Own): string | null;
  useOffersAfter?(): (changed: LicenseAnswer) => { action: ToastAction; link: ToastLink | undefined };
}

/** Checks the type of an action's own fields. */
export const defineAction = <Own extends object>(definition: ActionDefinition<Own>) => definition;

/** A blank number is not sent; text that is no number is sent as it is, so that the schema names the field. */
export const typedNumber = (text: string) => (text.trim() === '' ? undefined : (numberOf(text) ?? text));
