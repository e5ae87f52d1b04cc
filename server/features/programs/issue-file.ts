import { VALIDITY_DAYS_MAX } from '../../../contract/base/limits.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import { type LicenseFileValues, licenseFileText } from '../../../contract/programs/license-file.ts';
import { AppError, notFound } from '../../errors.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { record } from '../../records/record-event.ts';
import { metersPart } from '../../rules/license-meters.ts';
import type { Scope } from '../../scope.ts';
import { codeFromName } from '../software/software-code.ts';
import { findSeat, lockLicenseOfId, type Seat, takeSeatOf } from './activate-installation.ts';
import { fileRefusal } from './file-refusal.ts';
import { storeFileEnd } from './released-seats.ts';
import { licenseClaims } from './signing/license-claims.ts';
import { signToken } from './signing/sign-token.ts';
import { keepForFile } from './signing/signing-keys.queries.ts';

type LicenseFile = { name: string; text: string };

/**
 * Whether the program of a seat called. Else the seat was taken by an earlier file, with the id that a person typed
 * then, perhaps in another spelling than the program's.
 */
const programCalled = ({ file_until, last_heartbeat, token_until, app_version, os }: Seat): boolean =>
  file_until === null || last_heartbeat !== null || token_until !== null || app_version !== '' || os !== '';

/**
 * Signs an offline file for a computer without network: a token without a nonce, which the computer stores (PROG-02).
 * The computer takes a seat, as in an activation. The number of days is limited to the end of the licence and its
 * grace. The file names the machine as its program last did, however the id was typed, because the program compares
 * its own spelling (INPUT-09).
 * @throws notFound (404); AppError 409 not_available for floating seats, else 409 with the same reason as validation,
 * or installation_limit
 */
export async function issueFile(
  scope: Scope,
  secrets: SecretBox,
  id: number,
  { machine_id: typed, machine_name, ttl_days }: LicenseFileValues,
): Promise<LicenseFile> {
  const { tx, now, timeZone, publicUrl } = scope;
  const [locked] = await lockLicenseOfId(tx, { id });
  if (!locked) throw notFound(LICENSE_MESSAGES.notFound);
  const refusal = fileRefusal(locked, scope);
  if (refusal) throw new AppError(409, refusal);

  const seat = await findSeat(tx, { licenseId: id, machineId: typed });
  const machine_id = seat && programCalled(seat) ? seat.machine_id : typed;
  const machine = {
    machine_id,
    machine_name,
    mac_address: '',
    ip_address: '',
    notes: '',
    app_version: '',
    os: '',
  };
  const { installation, license } = await takeSeatOf(scope, locked, machine);
  const { meters } = await metersPart(tx, license, scope);
  const claims = licenseClaims(
    {
      call: 'file',
      license_key: license.license_key,
      machine_id,
      license,
      reason: null,
      audience: license.software_code,
      hasSeat: true,
      days: Math.min(ttl_days, VALIDITY_DAYS_MAX),
      meters,
    },
    { issuer: publicUrl, now, timeZone },
  );
  const { token, kid } = await signToken(tx, secrets, claims);
  const ends = new Date(claims.exp * 1000).toISOString();
  await keepForFile(tx, kid, ends);
  await storeFileEnd(tx, installation.id, ends);
  await record(scope, {
    type: 'license.file_issued',
    subject: { id, name: license.license_key },
    client: { id: license.client_id, name: license.client_name },
    license: { id, license_key: license.license_key },
    software: license.software_id,
    changes: {
      machine_name: { before: null, after: installation.machine_name },
      file_ends: { before: null, after: ends },
    },
  });
  const lastGroup = license.license_key.split('-').at(-1)?.toLowerCase();
  return {
    name: `licencia-${lastGroup}-${codeFromName(installation.machine_name)}.lic`,
    text: licenseFileText(token),
  };
}
