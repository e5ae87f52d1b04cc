import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { isEmail } from '../base/text.ts';
import { clientDetails, clientUpdate } from '../clients/clients.ts';
import { vendor } from '../licenses/certificate.ts';
import { machineCredentials, programQuestions } from '../programs/installations.ts';
import { portalFeatures } from './portal-features.ts';
import { PORTAL_MESSAGES } from './portal-words.ts';

/** Who the client is in the portal: vendor, sign-in, session, own data, tickets of the program (PORTAL-01 to -06). */

export const portalVendor = z.object({ vendor }).meta({ id: 'PortalVendor' });
export type PortalVendor = z.infer<typeof portalVendor>;

export const portalSignIn = z
  .object({
    email: z
      .string(PORTAL_MESSAGES.email)
      .trim()
      .refine((text) => text.length <= 254 && isEmail(text), PORTAL_MESSAGES.email),
  })
  .meta({ examples: [{ email: 'ana.lopez@example.com' }] });

/** The six digits of a mail, or the token of a link; whatever is no such text is a wrong one. */
export const portalVerify = z
  .object({ code: z.string().max(200).optional(), token: z.string().max(200).optional() })
  .refine(({ code, token }) => code !== undefined || token !== undefined, {
    path: ['code'],
    ...coded('required', PORTAL_MESSAGES.codeOrToken),
  })
  .meta({ examples: [{ code: '482913' }] });
export type PortalVerify = z.output<typeof portalVerify>;

/** `client` is null for a session of a ticket: its holder is known by a machine only (PORTAL-06). */
export const portalSignedIn = z
  .object({
    success: z.literal(true),
    client: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  })
  .meta({ id: 'PortalSignedIn' });
export type PortalSignedIn = z.infer<typeof portalSignedIn>;

/** `all` ends every session of the client. */
export const portalSignOut = z.object({ all: z.boolean().default(false) });

/** What a client may change: `reminders` by its switch, the others by `tax_data`. */
const CHANGEABLE = {
  contact_person: true,
  phone: true,
  tax_id: true,
  tax_regime: true,
  cfdi_use: true,
  tax_condition: true,
  postal_code: true,
  reminders: true,
} as const;

const portalClient = clientDetails
  .pick({ name: true, company: true, email: true, ...CHANGEABLE })
  .meta({ id: 'PortalClient' });
export type PortalClient = z.infer<typeof portalClient>;

export const portalMe = z
  .object({
    /** Null for a session of a ticket. */
    client: portalClient.nullable(),
    vendor,
    features: portalFeatures,
    /** True for 'Ver como cliente': nothing can be changed. */
    read_only: z.boolean(),
  })
  .meta({ id: 'PortalMe' });
export type PortalMe = z.infer<typeof portalMe>;

/** Rules and texts are those of staff. */
export const portalMeUpdate = clientUpdate.pick(CHANGEABLE);
export type PortalMeUpdate = z.output<typeof portalMeUpdate>;

export const portalMeSaved = z
  .object({
    client: portalClient,
    warnings: z.object({ tax_id: z.array(z.string()).min(1) }).optional(),
  })
  .meta({ id: 'PortalMeSaved' });
export type PortalMeSaved = z.infer<typeof portalMeSaved>;

/** An installed program asks for an address of the portal; its credential is its licence key. */
export const portalTicket = z
  .object({ ...machineCredentials, software: programQuestions.software })
  .meta({ examples: [{ license_key: 'DEMAA-22222-33333-44444-55555', machine_id: 'caja-01' }] });
export type PortalTicket = z.output<typeof portalTicket>;

/** An address of the portal, opened once. */
export const portalAddress = z.object({ url: z.string() }).meta({ id: 'PortalAddress' });
export type PortalAddress = z.infer<typeof portalAddress>;
