import { z } from 'zod';
import { currencyCode } from '../base/numbers.ts';
import { listQuery, pageOf } from '../base/page.ts';
import { answeredDay, optionalParagraph } from '../base/text.ts';
import { featuresShape } from '../licenses/features.ts';
import { LICENSE_STATUSES } from '../licenses/licenses.fields.ts';
import { usageRow } from '../licenses/meters.ts';
import { SEAT_MODES } from '../licenses/seats.ts';
import { licenseFileRequest } from '../programs/license-file.ts';
import {
  PORTAL_LIMITS,
  PORTAL_MESSAGES,
  PORTAL_VERBS,
  RELEASE_REASONS,
  REQUEST_KINDS,
} from './portal-words.ts';

/**
 * A client's licences in the portal, and the client's actions on them (PORTAL-04, PORTAL-05). The answers never have
 * notes, prices, addresses, names of staff, other clients or mails.
 */

/**
 * What ended lately and what soon ends first, then the newest first (decision 145). The search covers
 * licence key, software and machine names.
 */
export const portalLicenseQuery = listQuery.omit({ ordering: true });
export type PortalLicenseQuery = z.output<typeof portalLicenseQuery>;

const rowShape = {
  id: z.number().int(),
  license_key: z.string(),
  software_name: z.string(),
  software_version: z.string(),
  license_type_name: z.string().nullable(),
  status: z.enum(LICENSE_STATUSES),
  is_expired: z.boolean(),
  in_grace: z.boolean(),
  /** True while the licence waits for its first activation (SELL-01). */
  pending_start: z.boolean(),
  issued_date: z.string(),
  expiry_date: z.string().nullable(),
  days_remaining: z.number().int().nullable(),
  /** The last day of updates; null: updates are not limited (SELL-02). */
  updates_until: answeredDay.nullable(),
  seat_mode: z.enum(SEAT_MODES),
  max_installations: z.number().int(),
  current_installations: z.number().int(),
  /** The actions that are possible now. */
  can: z.array(z.enum(PORTAL_VERBS)),
  /**
   * What the page to pay would ask, with tax; null where `can` has no `pay`. `sold`: it is for what was sold already
   * ('Pendiente de pago', MONEY-05), else for the renewal.
   */
  pay: z
    .object({
      amount: z.number(),
      currency: currencyCode,
      sold: z
        .boolean()
        .meta({ description: 'Si es por algo ya vendido / Whether it is for what was sold already' }),
    })
    .nullable(),
};

const portalLicenseRow = z.object(rowShape).meta({ id: 'PortalLicenseRow' });
export type PortalLicenseRow = z.infer<typeof portalLicenseRow>;
export const portalLicensePage = pageOf(portalLicenseRow).meta({ id: 'PortalLicensePage' });
export type PortalLicensePage = z.infer<typeof portalLicensePage>;

const portalInstallation = z
  .object({
    id: z.number().int(),
    machine_name: z.string(),
    /** The first eight characters, then '…'. */
    machine_id: z.string(),
    installation_date: z.string(),
    last_heartbeat: z.string().nullable(),
    /** True if a release is possible now. */
    can_release: z.boolean(),
    /**
     * Why a release would be refused now, and the local day from which it is possible. Both are null if it is not
     * refused.
     */
    release_refusal: z.enum(['release_limit', 'file_issued']).nullable(),
    available_from: z.string().nullable(),
  })
  .meta({ id: 'PortalInstallation' });
export type PortalInstallation = z.infer<typeof portalInstallation>;

export const portalLicense = z
  .object({
    ...rowShape,
    features: featuresShape,
    /** The meters of the licence in their current periods (SELL-03). */
    usage: z.array(usageRow),
    installations: z.array(portalInstallation),
    /** What happened to the licence, newest first. Absent in a session that began with a ticket. */
    history: z
      .array(z.object({ at: z.string(), text: z.string() }))
      .max(PORTAL_LIMITS.history)
      .optional(),
  })
  .meta({ id: 'PortalLicense' });
export type PortalLicense = z.infer<typeof portalLicense>;

export const portalRelease = z
  .object({ why: z.enum(RELEASE_REASONS, PORTAL_MESSAGES.why) })
  .meta({ examples: [{ why: 'new' }] });

/**
 * The same body as staff send for a license file. A session that began with a ticket may omit the machine and gets the
 * ticket's machine. More than 30 days are reduced to 30.
 */
export const portalFile = licenseFileRequest
  .extend({ machine_id: licenseFileRequest.shape.machine_id.optional() })
  .meta({ examples: [{ machine_id: 'caja-02', machine_name: 'Caja 2' }] });

export const portalRequest = z
  .object({
    kind: z.enum(REQUEST_KINDS, PORTAL_MESSAGES.kind),
    message: optionalParagraph(PORTAL_LIMITS.requestMessage).prefault(''),
  })
  .meta({ examples: [{ kind: 'renewal', message: 'Por favor, con factura.' }] });
export type PortalRequest = z.output<typeof portalRequest>;
