import type { Can, LicenseVerb } from '../../../contract/licenses/license-can.ts';

/** What has a button beside the menu of a licence. */
const BUTTONS = ['update', 'delete', 'resend_email'] as const satisfies LicenseVerb[];

/** What the menu of a licence offers, each in a dialog: its actions, and the file for a computer without network (PROG-02). */
export type MenuVerb = Exclude<LicenseVerb, (typeof BUTTONS)[number]>;

/** What a row asks of its licence: an action of the menu, or why it does not work. */
export type RowVerb = MenuVerb | 'why';

/** The menu of a licence: what the server lets one do with it (LIFE-05). */
export const menuVerbsOf = ({ can }: Can): MenuVerb[] =>
  can.filter((verb): verb is MenuVerb => !BUTTONS.some((button) => button === verb));
