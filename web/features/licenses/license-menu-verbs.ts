import type { Can, LicenseVerb } from '../../../contract/licenses/license-can.ts';

/** Actions that have buttons beside the licence's menu. */
const BUTTONS = ['update', 'delete', 'resend_email'] as const satisfies LicenseVerb[];

/**
 * The items of a licence's menu, each with a dialog: its actions, the license file (PROG-02), and 'Cobrar' (PAY-07).
 */
export type MenuVerb = Exclude<LicenseVerb, (typeof BUTTONS)[number]> | 'charge';

/**
 * What a row can open: the items of the licence's menu, '¿Por qué?', and instead of the deletion of a licence that was
 * paid, why that is refused (INPUT-18).
 */
export type RowVerb = MenuVerb | 'why' | 'paid';

/** True if payment can be requested from the client, which requires that the licence can be renewed. */
export const canBeCharged = ({ can }: Can, mayCharge: boolean): boolean => mayCharge && can.includes('renew');

/** The items of a licence's menu: the actions that the server allows (LIFE-05), and 'Cobrar' after the renewal. */
export const menuVerbsOf = (license: Can, mayCharge: boolean): MenuVerb[] =>
  license.can
    .filter((verb): verb is Exclude<MenuVerb, 'charge'> => !BUTTONS.some((button) => button === verb))
    .flatMap((verb): MenuVerb[] =>
      verb === 'renew' && canBeCharged(license, mayCharge) ? [verb, 'charge'] : [verb],
    );
