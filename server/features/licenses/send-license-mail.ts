import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import type { License, LicenseRow } from '../../../contract/licenses/licenses.ts';
import { CANCELLED_NOT_RESENT, type LicenseMailKind } from '../../../contract/mail/mails.ts';
import { TRIALS_CLIENT } from '../../../contract/programs/trial-terms.ts';
import { AppError, notFound } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { Scope } from '../../scope.ts';
import { deleteUnsentMessages } from '../mail/outbox.queries.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { clientVariables, licenseVariables } from '../mail-templates/license-variables.ts';
import type { MailVariables } from '../mail-templates/mail-variables.ts';
import { findLicense } from './licenses.queries.ts';

/** The kinds of mail that report an action on one licence. */
type LicenseNotice = Exclude<LicenseMailKind, 'license_reminder'>;

/** What the mail about a sale says of its payment (MONEY-05); all null where it says nothing. */
export type SaleReceipt = MailVariables<'license_issued'>['payment'];
const NO_RECEIPT: SaleReceipt = {
  received: null,
  method: null,
  reference: null,
  paid: null,
  withheld: null,
  due: null,
};

type Said = {
  /** The value of the template's variable `reason`. */
  reason?: string | undefined;
  receipt?: SaleReceipt | null;
  /** How many seats were sold; null if it was something else (MONEY-08). */
  seatsAdded?: number | null;
  /** True for a mail that goes to the client's own address alone. */
  toClientAlone?: boolean;
};

/**
 * Queues the mail that contains a licence (promises: Mail).
 * @returns the licence in its present state
 */
export const queueLicenseMail = (scope: Scope, license: License, said?: Said): Promise<License> =>
  notifyClient(scope, license, 'license_issued', said);

/**
 * Queues a mail about an action on a licence.
 * @returns the licence in its present state
 */
export async function notifyClient(
  scope: Scope,
  license: License,
  notice: LicenseNotice,
  { reason, receipt, seatsAdded = null, toClientAlone = false }: Said = {},
): Promise<License> {
  const { client } = license;
  // The client 'Pruebas' is not a person, so it gets no mail (SELL-04).
  if (client.email === TRIALS_CLIENT.email) return license;
  const mail = {
    kind: notice,
    to: { name: client.name, address: client.email },
    license: license.id,
    client: client.id,
    variables: {
      client: clientVariables(client),
      license: licenseVariables(license, scope.now, scope.timeZone),
      reason: reason || null,
      seats_added: seatsAdded,
      payment: receipt ?? NO_RECEIPT,
    },
  };
  await queueMail(scope, mail, { toClientAlone });
  return { ...license, email_status: 'queued', email_transport: null };
}

/** Queues one mail with all keys of licences that were issued together to one client (SELL-05). */
export async function queueBatchMail(
  scope: Scope,
  licenses: readonly LicenseRow[],
  receipt: SaleReceipt | null = null,
): Promise<void> {
  const first = mustExist(licenses[0], 'the first licence of a batch');
  const { key: _key, ...terms } = licenseVariables(first, scope.now, scope.timeZone);
  await queueMail(scope, {
    kind: 'licenses_issued',
    to: { name: first.client.name, address: first.client.email },
    client: first.client.id,
    variables: {
      client: clientVariables(first.client),
      license: terms,
      licenses: licenses.map(({ id, license_key }, index) => ({
        number: index + 1,
        key: { license: id, key: license_key },
      })),
      count: licenses.length,
      payment: receipt ?? NO_RECEIPT,
    },
  });
}

/**
 * Queues the mail about a licence again, to the client's present address and to its contacts. It replaces mails that
 * wait or have failed.
 * @throws notFound (404); AppError 409 invalid_transition for a cancelled licence
 */
export const resendLicenseMail = (scope: Scope, id: number): Promise<License> => resend(scope, id, false);

/** The same to the client's address alone, which is where the portal sends it (PORTAL-05). */
export const resendToClient = (scope: Scope, id: number): Promise<License> => resend(scope, id, true);

async function resend(scope: Scope, id: number, toClientAlone: boolean): Promise<License> {
  const license = await findLicense(scope.tx, id, scope.now, scope.timeZone);
  if (!license) throw notFound(LICENSE_MESSAGES.notFound);
  if (license.status === 'cancelled') {
    throw new AppError(409, 'invalid_transition', { message: CANCELLED_NOT_RESENT });
  }
  await deleteUnsentMessages(scope.tx, id, { toClientAlone });
  return queueLicenseMail(scope, license, { toClientAlone });
}
