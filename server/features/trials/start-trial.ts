import { fromMinorUnits } from '../../../contract/base/money.ts';
import { clientCreate } from '../../../contract/clients/clients.ts';
import { isTrial } from '../../../contract/licenses/license-lifecycle.ts';
import { licenseRefusal } from '../../../contract/licenses/license-state.ts';
import { licenseCreate } from '../../../contract/licenses/licenses.ts';
import {
  TRIAL_MESSAGES,
  type TRIAL_REFUSALS,
  type TrialEmail,
} from '../../../contract/programs/trial-terms.ts';
import type { TrialRequest } from '../../../contract/programs/trials.ts';
import { machineKey } from '../../../contract/reading/machine-ids.ts';
import { mailKey, readMailAddress, shownMailAddress } from '../../../contract/reading/mail-addresses.ts';
import { lockTrials } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { AppError, fault, invalid } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { markUnverified } from '../../rules/verified-clients.ts';
import type { Scope } from '../../scope.ts';
import { findClientsByEmail } from '../clients/clients.queries.ts';
import { createClients } from '../clients/save-client.ts';
import { systemClient } from '../clients/system-client.ts';
import { issueLicense } from '../licenses/issue-license.ts';
import { findLicense } from '../licenses/licenses.queries.ts';
import { queueLicenseMail } from '../licenses/send-license-mail.ts';
import { transferLicense } from '../licenses/transfer-license.ts';
import { isPaidInPart } from '../payment-requests/close-request.ts';
import { type LockedLicense, lockLicenseOfId, takeSeatOf } from '../programs/activate-installation.ts';
import { ProgramRefusal } from '../programs/signed-answers.ts';
import { codeNamed } from '../software/asked-software.ts';
import { countTrial, refuseTrial } from './trial-limits.ts';

/** The call of a program; `isStrict` refuses an address that is not one even where it may be missing. */
type Asked = TrialRequest & { isStrict: boolean };

/** A software's offer of trials. */
type Offer = { id: number; type: number; trial_email: TrialEmail; trial_daily_limit: number };

/** The trial of a machine: why it is not usable now, and the data for its signed answer. */
export type Trial = {
  isNew: boolean;
  license: LockedLicense;
  reason: (typeof TRIAL_REFUSALS)[number] | null;
  leaseUntil: string | null;
};

/**
 * Starts the trial of a machine without an account, or finds its existing one (SELL-04). There is one trial for each
 * software code and machine, even after a reinstallation. The scope's actor is the machine.
 * @param limitCalls called with the licence of a trial that was started earlier; may throw
 * @throws invalid (400) for an unknown software, and for a missing or invalid email address; AppError 403 not_allowed
 * if the software offers no trial, 409 trial_converted, 429 trial_limit
 */
export async function startTrial(
  scope: Scope,
  asked: Asked,
  limitCalls: (licenseId: number) => void,
): Promise<Trial> {
  const { tx } = scope;
  const code = await codeNamed(tx, asked.software);
  if (code === undefined) {
    throw invalid({ software: [fault('unknown_reference', TRIAL_MESSAGES.unknownSoftware)] });
  }
  const offer = await findOffer(tx, code);
  const known = () =>
    tx
      .selectFrom('trials')
      .select('license_id')
      .where('code', '=', code)
      .where('machine_key', '=', machineKey(asked.machine_id))
      .orderBy('license_id')
      .executeTakeFirst();
  const first = await known();
  if (first) {
    limitCalls(first.license_id);
    return goOn(scope, first.license_id, asked, offer);
  }
  if (!offer) throw new AppError(403, 'not_allowed');
  const email = mailOf(offer.trial_email, asked.email, asked.isStrict);
  // Whoever is above a limit must not hold the lock.
  await refuseTrial(scope, code, offer.trial_daily_limit);
  // Prevents two calls from both finding nothing and creating the trial or the client 'Pruebas' twice.
  await lockTrials(tx);
  const second = await known();
  return second
    ? goOn(scope, second.license_id, asked, offer)
    : begin(scope, { ...asked, email }, code, offer);
}

/** The newest active version of a software code that offers trials. */
async function findOffer(tx: Db, code: string): Promise<Offer | undefined> {
  const row = await tx
    .selectFrom('software')
    .select(['id', 'trial_type_id', 'trial_email', 'trial_daily_limit'])
    .where('code', '=', code)
    .where('is_active', '=', true)
    .where('trial_type_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, type: mustExist(row.trial_type_id, 'type of a trial') };
}

/**
 * The email address to use; null for none.
 * @throws invalid (400) on `email`
 */
function mailOf(requested: TrialEmail, sent: string | null | undefined, isStrict: boolean): string | null {
  if (requested === 'no') return null;
  const email = sent?.trim() ?? '';
  if (email === '') {
    if (requested === 'optional') return null;
    throw invalid({ email: [fault('required', TRIAL_MESSAGES.emailRequired)] });
  }
  const address = readMailAddress(email);
  if (address === null) {
    // What only describes refuses no program, unless it asks for that (INPUT-12).
    if (requested === 'optional' && !isStrict) return null;
    throw invalid({ email: [fault('invalid', TRIAL_MESSAGES.emailInvalid)] });
  }
  return address;
}

async function begin(
  scope: Scope,
  asked: Asked & { email: string | null },
  code: string,
  offer: Offer,
): Promise<Trial> {
  const { tx } = scope;
  await countTrial(scope, code, offer.trial_daily_limit);
  const owner = await ownerOf(scope, asked.email, asked.name);
  const type = await tx
    .selectFrom('license_types')
    .select(['base_price_cents', 'currency'])
    .where('id', '=', offer.type)
    .executeTakeFirstOrThrow();
  const values = licenseCreate.parse({
    client: owner.client,
    software: offer.id,
    license_type_config: offer.type,
    license_type: 'trial',
    status: 'trial',
    price: fromMinorUnits(type.base_price_cents, type.currency),
    currency: type.currency,
  });
  const { id } = await issueLicense(scope, values, { notify: false, isFree: true });
  await keepMail(tx, id, owner.takenMail);
  const { machine_id } = asked;
  const machine_key = machineKey(machine_id);
  await tx.insertInto('trials').values({ code, machine_id, machine_key, license_id: id }).execute();
  const [locked] = await lockLicenseOfId(tx, { id });
  const { installation } = await takeSeatOf(scope, mustExist(locked, `license ${id}`), seatOf(asked));
  if (owner.isOwn) await queueLicenseMail(scope, mustExist(await found(scope, id), `license ${id}`));
  // Read again, because the first seat may have started the licence.
  const [license] = await lockLicenseOfId(tx, { id });
  return { isNew: true, license: license!, reason: null, leaseUntil: installation.lease_until };
}

const found = ({ tx, now, timeZone }: Scope, id: number) => findLicense(tx, id, now, timeZone);

/**
 * The client of a trial: a new client if no client has the address, else 'Pruebas'. The address is not verified, so a
 * trial with the address of an existing client changes nothing about that client.
 */
async function ownerOf(
  scope: Scope,
  email: string | null,
  name: string,
): Promise<{ client: number; isOwn: boolean; takenMail: string | null }> {
  if (email === null) return { client: await systemClient(scope), isOwn: false, takenMail: null };
  const taken = await findClientsByEmail(scope.tx, [mailKey(email)]);
  const client = taken.size > 0 ? null : await makeClient(scope, email, name);
  if (client === null) return { client: await systemClient(scope), isOwn: false, takenMail: email };
  return { client, isOwn: true, takenMail: null };
}

/** @returns null if staff have just saved a client with the address */
async function makeClient(scope: Scope, email: string, name: string): Promise<number | null> {
  const values = clientCreate.parse({
    name: name || shownMailAddress(email).slice(0, 200),
    email,
    phone: '+000000000',
  });
  // The phone stays empty; staff can enter it later.
  const [id] = await createClients(scope, [{ values: { ...values, phone: '' }, since: scope.now }]);
  if (typeof id !== 'number') return null;
  await markUnverified(scope.tx, id);
  return id;
}

async function keepMail(tx: Db, id: number, email: string | null): Promise<void> {
  if (email === null) return;
  await tx.updateTable('licenses').set({ trial_email: email }).where('id', '=', id).execute();
}

const seatOf = ({ machine_id, machine_name, app_version, os, nonce }: TrialRequest) => ({
  machine_id,
  machine_name,
  mac_address: '',
  ip_address: '',
  notes: '',
  app_version,
  os,
  nonce,
});

/** Returns the existing trial of a machine, and takes a seat for it again if it has lost its seat. */
async function goOn(scope: Scope, id: number, asked: Asked, offer: Offer | undefined): Promise<Trial> {
  const { tx, now, timeZone } = scope;
  const row = await tx
    .selectFrom('licenses')
    .innerJoin('clients', 'clients.id', 'licenses.client_id')
    .select(['licenses.status', 'licenses.license_type', 'licenses.trial_email', 'clients.is_system'])
    .where('licenses.id', '=', id)
    .executeTakeFirstOrThrow();
  if (!isTrial(row)) throw new AppError(409, 'trial_converted');
  if (row.is_system && row.status === 'trial') await takeLateMail(scope, id, asked, offer);
  const [license] = await lockLicenseOfId(tx, { id });
  const locked = mustExist(license, `license ${id}`);
  const refusal = licenseRefusal(locked, now, timeZone);
  if (refusal) {
    return {
      isNew: false,
      license: locked,
      reason: refusal === 'expired' ? 'trial_ended' : refusal,
      leaseUntil: null,
    };
  }
  try {
    const { installation } = await takeSeatOf(scope, locked, seatOf(asked));
    return { isNew: false, license: locked, reason: null, leaseUntil: installation.lease_until };
  } catch (error) {
    if (!(error instanceof ProgramRefusal)) throw error;
    return { isNew: false, license: locked, reason: 'installation_limit', leaseUntil: null };
  }
}

/** An email address that is sent later is used only while the trial belongs to 'Pruebas'. */
async function takeLateMail(scope: Scope, id: number, asked: Asked, offer: Offer | undefined) {
  const sent = asked.email?.trim() ?? '';
  if (!offer || offer.trial_email === 'no' || sent === '') return;
  const email = mailOf(offer.trial_email, sent, asked.isStrict);
  if (email === null) return;
  // Prevents another call from creating a client with the address meanwhile.
  await lockTrials(scope.tx);
  // A part of its price came in already: a person decides whose licence it is (MONEY-06).
  if (await isPaidInPart(scope.tx, id)) return keepMail(scope.tx, id, email);
  const owner = await ownerOf(scope, email, asked.name);
  if (!owner.isOwn) return keepMail(scope.tx, id, owner.takenMail);
  const license = await transferLicense(scope, id, {
    client: owner.client,
    release_seats: false,
    notify: false,
    reason: '',
  });
  await queueLicenseMail(scope, license);
}
