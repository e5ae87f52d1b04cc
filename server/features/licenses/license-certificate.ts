import {
  CERTIFICATE_CODE,
  type Certificate,
  type CertificateCheck,
  maskName,
  normalizeCertificateCode,
  shownStatus,
  VERIFY_PATH,
  type Vendor,
} from '../../../contract/licenses/certificate.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import { certificateCodeIn } from '../../../contract/reading/license-keys.ts';
import type { AppContext } from '../../context.ts';
import type { Db } from '../../db/tables.ts';
import { notFound } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { createCode } from '../../lib/secret.ts';
import type { Scope } from '../../scope.ts';
import { logoVersion } from '../settings/logo.queries.ts';
import { readSettings } from '../settings/settings.queries.ts';

/** The version in the address changes with each logo, so that no browser shows the old one. */
const LOGO_PATH = '/licenses/api/settings/logo/';

/** The public facts about the vendor. */
export async function vendorOf(db: Db): Promise<Vendor> {
  const { vendor_name, support_email, accent_color } = await readSettings(db);
  const version = await logoVersion(db);
  const logo = version === null ? null : `${LOGO_PATH}?v=${Date.parse(version)}`;
  return { name: vendor_name, support_email, accent_color, logo };
}

const newCode = () => {
  const { alphabet, groups, letters } = CERTIFICATE_CODE;
  return createCode(alphabet, groups, letters);
};

/**
 * Returns the code of a licence's certificate. It is created at the first call, and again after the client has
 * changed; then a former client's printed code is no longer valid (LIFE-12).
 * @param publicUrl the public address of this server
 * @throws notFound (404)
 */
export async function certificateOf({ tx, now }: Scope, id: number, publicUrl: string): Promise<Certificate> {
  const license = await tx.selectFrom('licenses').select('client_id').where('id', '=', id).executeTakeFirst();
  if (!license) throw notFound(LICENSE_MESSAGES.notFound);
  const { client_id } = license;
  const find = () =>
    tx
      .selectFrom('license_certificates')
      .select('code')
      .where('license_id', '=', id)
      .where('client_id', '=', client_id)
      .executeTakeFirst();
  let known = await find();
  if (!known) {
    const made = { client_id, code: newCode(), created_at: now.toISOString() };
    await tx
      .insertInto('license_certificates')
      .values({ license_id: id, ...made })
      // Two concurrent callers get the same code.
      .onConflict((conflict) =>
        conflict
          .column('license_id')
          .doUpdateSet(made)
          .where('license_certificates.client_id', '<>', client_id),
      )
      .execute();
    known = mustExist(await find(), `certificate of license ${id}`);
  }
  return { code: known.code, url: `${publicUrl}${VERIFY_PATH}/${known.code}`, vendor: await vendorOf(tx) };
}

/** The licence of a code, if it still has the client for whom the certificate was made. */
function certified(db: Db, code: string) {
  return db
    .selectFrom('license_certificates')
    .innerJoin('licenses', (join) =>
      join
        .onRef('licenses.id', '=', 'license_certificates.license_id')
        .onRef('licenses.client_id', '=', 'license_certificates.client_id'),
    )
    .innerJoin('clients', 'clients.id', 'licenses.client_id')
    .innerJoin('software', 'software.id', 'licenses.software_id')
    .where('license_certificates.code', '=', code)
    .select([
      'license_certificates.code',
      'licenses.status',
      'licenses.issued_date',
      'licenses.expiry_date',
      'licenses.activate_by',
      'clients.name as client_name',
      'software.name as software_name',
      'software.version as software_version',
    ])
    .executeTakeFirst();
}

/**
 * The answer of the public page for a code: state, product and the client's initials.
 * @returns undefined for a code that does not belong to the licence's present client
 */
export async function checkCertificate(
  { db, now, config }: Pick<AppContext, 'db' | 'now' | 'config'>,
  code: string,
): Promise<CertificateCheck | undefined> {
  const pasted = certificateCodeIn(code);
  const found =
    (await certified(db, normalizeCertificateCode(code))) ?? (pasted && (await certified(db, pasted)));
  if (!found) return undefined;
  const { activate_by, ...facts } = found;
  return {
    success: true,
    ...facts,
    pending_start: activate_by !== null,
    status: shownStatus(found, now()),
    client_name: maskName(found.client_name),
    time_zone: config.timeZone,
    vendor: await vendorOf(db),
  };
}
