import { z } from 'zod';
import { pageOf } from '../base/page.ts';
import { license, licenseRow } from './licenses.ts';
import { LICENSE_ACTIONS } from './verbs/index.ts';

/** The calls on a licence that its state or the caller's permissions may forbid. */
export const LICENSE_CAN = [...LICENSE_ACTIONS, 'file', 'update', 'delete', 'resend_email'] as const;
export type LicenseVerb = (typeof LICENSE_CAN)[number];

/** The calls that the caller may make on the licence now, so that a screen offers only these (LIFE-05, PEOPLE-02). */
const can = z.array(z.enum(LICENSE_CAN)).meta({
  description:
    'Lo que quien llama puede hacer ahora con la licencia, por sus permisos y el estado de ella / What the caller may do with the licence now, by permissions and its state',
});
export type Can = { can: z.infer<typeof can> };

/** A licence in answers to staff. Webhook messages and answers to programs have no `can`. */
export const licenseAnswer = z.object({ ...license.shape, can }).meta({ id: 'License' });
export type LicenseAnswer = z.infer<typeof licenseAnswer>;

const licenseRowAnswer = z.object({ ...licenseRow.shape, can }).meta({ id: 'LicenseRow' });
export type LicenseRowAnswer = z.infer<typeof licenseRowAnswer>;
export const licensePage = pageOf(licenseRowAnswer).meta({ id: 'LicensePage' });
