import type { Can, LicenseVerb } from '../../../contract/licenses/license-can.ts';

/** What has a button beside the menu of a licence. */
const BUTTONS = ['update', 'delete', 'resend_email'] as const satisfies LicenseVerb[];

/**
 * What the menu of a licence offers, each in a dialog: its actions, the file for a computer without network (PROG-02), and
 * 'Cobrar' (PAY-07).
 */
export type MenuVerb = Exclude<LicenseVerb, (typeof BUTTONS)[number]> | 'charge';

/** What a row asks of its licence: an action of the menu, or why it does not work. */
export type RowVerb = MenuVerb | 'why';

/** Whether its client can be asked to pay: for what could be renewed now. */
export const canBeCharged = ({ can }: Can, mayCharge: boolean): boolean => mayCharge && can.includes('renew');

/** The menu of a licence: what the server lets one do with it (LIFE-05), and 'Cobrar' after its renewal. */
export const menuVerbsOf = (license: Can, mayCharge: boolean): MenuVerb[] =>
  license.can
    .filter((verb): verb is Exclude<MenuVerb, 'charge'> => !BUTTONS.some((button) => button === verb))
    .flatMap((verb): MenuVerb[] =>
      verb === 'renew' && canBeCharged(license, mayCharge) ? [verb, 'charge'] : [verb],
    );
