import { z } from 'zod';
import { listQuery, pageOf } from '../base/page.ts';
import { answeredDay, optionalParagraph } from '../base/text.ts';
import { featuresShape } from '../licenses/features.ts';
import { LICENSE_STATUSES } from '../licenses/licenses.ts';
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
 * A client's licences in the portal, and what a client does with them (PORTAL-04, PORTAL-05). Never notes, prices,
 * addresses, names of staff, other clients or mails.
 */

/** Newest first; the search reads key, software and machine names. */
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
  /** Whether it waits for its first activation (SELL-01). */
  pending_start: z.boolean(),
  issued_date: z.string(),
  expiry_date: z.string().nullable(),
  days_remaining: z.number().int().nullable(),
  /** The last day of updates; null: all updates are included (SELL-02). */
  updates_until: answeredDay.nullable(),
  seat_mode: z.enum(SEAT_MODES),
  max_installations: z.number().int(),
  current_installations: z.number().int(),
  /** What would be answered now. */
  can: z.array(z.enum(PORTAL_VERBS)),
};

export const portalLicenseRow = z.object(rowShape).meta({ id: 'PortalLicenseRow' });
export type PortalLicenseRow = z.infer<typeof portalLicenseRow>;
export const portalLicensePage = pageOf(portalLicenseRow).meta({ id: 'PortalLicensePage' });
export type PortalLicensePage = z.infer<typeof portalLicensePage>;

export const portalInstallation = z
  .object({
    id: z.number().int(),
    machine_name: z.string(),
    /** The first eight characters, then '…'. */
    machine_id: z.string(),
    installation_date: z.string(),
    last_heartbeat: z.string().nullable(),
    /** Whether a release would be answered now. */
    can_release: z.boolean(),
    /** What a release would be refused with now, and the local day from which it would not; both null otherwise. */
    release_refusal: z.enum(['release_limit', 'file_issued']).nullable(),
    available_from: z.string().nullable(),
  })
  .meta({ id: 'PortalInstallation' });
export type PortalInstallation = z.infer<typeof portalInstallation>;

export const portalLicense = z
  .object({
    ...rowShape,
    features: featuresShape,
    /** Its meters, each in its present period (SELL-03). */
    usage: z.array(usageRow),
    installations: z.array(portalInstallation),
    /** What happened, newest first; absent for a session of a ticket. */
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

/** As staff ask for a file; a session of a ticket may leave the machine out, which is its own. More days are brought down to 30. */
export const portalFile = licenseFileRequest
  .extend({ machine_id: licenseFileRequest.shape.machine_id.optional() })
  .meta({ examples: [{ machine_id: 'caja-02', machine_name: 'Caja 2' }] });
export type PortalFile = z.output<typeof portalFile>;

export const portalRequest = z
  .object({
    kind: z.enum(REQUEST_KINDS, PORTAL_MESSAGES.kind),
    message: optionalParagraph(PORTAL_LIMITS.requestMessage).prefault(''),
  })
  .meta({ examples: [{ kind: 'renewal', message: 'Por favor, con factura.' }] });
export type PortalRequest = z.output<typeof portalRequest>;
