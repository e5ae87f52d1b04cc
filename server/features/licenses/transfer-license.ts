import type { z } from 'zod';
import {
  LIFECYCLE_MESSAGES,
  type licenseKeyReplacement,
  type licenseTransfer,
} from '../../../contract/license-lifecycle.ts';
import type { License } from '../../../contract/licenses.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { invalid } from '../../errors.ts';
import { saveRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { createLicenseKey } from './issue-license.ts';
import { licenseRecord } from './license.record.ts';
import { requireAction } from './license-actions.ts';
import { unknownReferences } from './license-references.ts';
import { updateLicense } from './licenses.queries.ts';
import { notifyClient } from './send-license-mail.ts';

/**
 * Gives a licence to another active client; its key stays (LIFE-04).
 * @throws notFound (404), stale (412), AppError 409 invalid_transition, invalid (400) on `client`
 */
export async function transferLicense(
  scope: Scope,
  id: number,
  { client, release_seats, notify, reason }: z.output<typeof licenseTransfer>,
  ifMatch: string | undefined,
): Promise<License> {
  const { tx } = scope;
  const save = async (row: LicenseRecord, version: string) => {
    requireAction('transfer', row);
    const errors = await unknownReferences(tx, { client });
    if (Object.keys(errors).length > 0) throw invalid(errors);
    if (client === row.client_id) throw invalid({ client: [LIFECYCLE_MESSAGES.sameClient] });
    const { status } = await tx
      .selectFrom('clients')
      .select('status')
      .where('id', '=', client)
      .executeTakeFirstOrThrow();
    if (status !== 'active') throw invalid({ client: [LIFECYCLE_MESSAGES.inactiveClient] });
    if (release_seats) await tx.deleteFrom('installations').where('license_id', '=', id).execute();
    const seats = release_seats ? { current_installations: 0 } : {};
    await updateLicense(tx, id, { client_id: client, ...seats }, version);
  };
  const event = { type: 'license.transferred', reason } as const;
  const transferred = await saveRecord(scope, licenseRecord, id, { ifMatch }, save, event);
  return notify ? notifyClient(scope, transferred, 'transferred') : transferred;
}

/**
 * Exchanges the key of a licence: the old one is unknown at once, and the seats stay (LIFE-04).
 * @throws notFound (404), stale (412), AppError 409 invalid_transition
 */
export async function replaceKey(
  scope: Scope,
  id: number,
  { reason, notify }: z.output<typeof licenseKeyReplacement>,
  ifMatch: string | undefined,
): Promise<License> {
  const save = async (row: LicenseRecord, version: string) => {
    requireAction('replace_key', row);
    const license_key = createLicenseKey();
    await updateLicense(scope.tx, id, { license_key, search_text: license_key.toLowerCase() }, version);
  };
  const event = { type: 'license.key_replaced', reason } as const;
  const replaced = await saveRecord(scope, licenseRecord, id, { ifMatch }, save, event);
  return notify ? notifyClient(scope, replaced, 'key_replaced') : replaced;
}
