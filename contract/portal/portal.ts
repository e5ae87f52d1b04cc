import { z } from 'zod';
import { warningsOf } from '../base/advice.ts';
import { coded } from '../base/field-errors.ts';
import { line } from '../base/text.ts';
import { CLIENT_MESSAGES } from '../clients/clients.fields.ts';
import { clientDetails, clientUpdate } from '../clients/clients.ts';
import { namedContact } from '../clients/contacts.ts';
import { vendor } from '../licenses/certificate.ts';
import { machineCredentials, programQuestions } from '../programs/installations.ts';
import { isMailAddress } from '../reading/mail-addresses.ts';
import { portalFeatures } from './portal-features.ts';
import { PORTAL_MESSAGES } from './portal-words.ts';

/** The client in the portal: vendor, sign-in, session, own data, tickets of programs (PORTAL-01 to -06). */

export const portalVendor = z.object({ vendor }).meta({ id: 'PortalVendor' });
export type PortalVendor = z.infer<typeof portalVendor>;

export const portalSignIn = z
  .object({
    email: z.string(PORTAL_MESSAGES.email).trim().refine(isMailAddress, PORTAL_MESSAGES.email),
  })
  .meta({ examples: [{ email: 'ana.lopez@example.com' }] });

/**
 * The six digits from a mail, or the token of a link. A text of another form is treated as a wrong code, not as
 * invalid input.
 */
export const portalVerify = z
  .object({
    code: z.string().max(200).optional(),
    token: z.string().max(200).optional(),
    /** After the code of an address of several clients: the id of one of them (DESK-04). */
    choice: z.number().optional(),
  })
  .refine(({ code, token, choice }) => [code, token, choice].some((given) => given !== undefined), {
    path: ['code'],
    ...coded('required', PORTAL_MESSAGES.codeOrToken),
  })
  .meta({ examples: [{ code: '482913' }] });
export type PortalVerify = z.output<typeof portalVerify>;

const portalChoice = z.object({ id: z.number().int(), name: z.string() });

/**
 * `client` is null in a session that began with a ticket: only the machine is known, not the person (PORTAL-06). It is
 * also null while one of `choices` is to be chosen: the address is one of several clients, and no session is open yet
 * (DESK-04).
 */
export const portalSignedIn = z
  .object({
    success: z.literal(true),
    client: portalChoice.nullable(),
    choices: z.array(portalChoice).optional(),
  })
  .meta({ id: 'PortalSignedIn' });
export type PortalSignedIn = z.infer<typeof portalSignedIn>;

/** `all` ends all sessions of the client. */
export const portalSignOut = z.object({ all: z.boolean().default(false) });

/** A phone as people write it, with country code, separators and blanks. */
const PHONE_TYPED_MAX = 40;
/** The fewest digits of a number in any of the countries where clients are. */
const EIGHT_DIGITS = /^(?:\D*\d){8}/;

/** The fields that a client can change: `reminders` with the feature of the same name, the others with `tax_data`. */
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
  .pick({ name: true, company: true, email: true, email_shown: true, ...CHANGEABLE })
  .meta({ id: 'PortalClient' });
export type PortalClient = z.infer<typeof portalClient>;

export const portalMe = z
  .object({
    /** Null in a session that began with a ticket. */
    client: portalClient.nullable(),
    vendor,
    features: portalFeatures,
    /** Who signed in for the client as its contact; null for the client itself (DESK-04). */
    contact: namedContact,
    /** True for 'Ver como cliente', in which nothing can be changed. */
    read_only: z.boolean(),
  })
  .meta({ id: 'PortalMe' });
export type PortalMe = z.infer<typeof portalMe>;

/**
 * The same rules and messages as for staff, but for the phone: that is read in the client's country, with or without
 * separators (INPUT-02). What no country's number can be is refused here, the rest where the country is known.
 */
export const portalMeUpdate = clientUpdate.pick(CHANGEABLE).extend({
  phone: line(PHONE_TYPED_MAX).regex(EIGHT_DIGITS, CLIENT_MESSAGES.phone).optional(),
});
export type PortalMeUpdate = z.output<typeof portalMeUpdate>;

export const portalMeSaved = z
  .object({
    client: portalClient,
    warnings: warningsOf(['tax_id', 'phone']),
  })
  .meta({ id: 'PortalMeSaved' });
export type PortalMeSaved = z.infer<typeof portalMeSaved>;

/** A request of an installed program for a link to the portal. The licence key is its credential. */
export const portalTicket = z
  .object({ ...machineCredentials, software: programQuestions.software })
  .meta({ examples: [{ license_key: 'DEMAA-22222-33333-44444-55555', machine_id: 'caja-01' }] });
export type PortalTicket = z.output<typeof portalTicket>;

/** A link to the portal that can be opened once. */
export const portalAddress = z.object({ url: z.string() }).meta({ id: 'PortalAddress' });
export type PortalAddress = z.infer<typeof portalAddress>;
