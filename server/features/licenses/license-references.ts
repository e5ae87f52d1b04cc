import type { FieldErrors } from '../../../contract/errors.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses.ts';
import { keepRows } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';

/** The records that a licence names; absent and null name none. */
export type References = {
  client?: number | undefined;
  software?: number | undefined;
  license_type_config?: number | null | undefined;
};

/**
 * A message for each record that is named and does not exist. Those that exist stay until the transaction ends, so
 * that none is deleted before the licence that names it is stored.
 */
export async function unknownReferences(tx: Db, references: References): Promise<FieldErrors> {
  const { client, software, license_type_config: type } = references;
  const errors: FieldErrors = {};
  if (!(await exists(tx, 'clients', client))) errors.client = [LICENSE_MESSAGES.unknownClient];
  if (!(await exists(tx, 'software', software))) errors.software = [LICENSE_MESSAGES.unknownSoftware];
  if (!(await exists(tx, 'license_types', type))) errors.license_type_config = [LICENSE_MESSAGES.unknownType];
  return errors;
}

async function exists(
  tx: Db,
  table: 'clients' | 'software' | 'license_types',
  id: number | null | undefined,
): Promise<boolean> {
  if (id === undefined || id === null) return true;
  const row = await keepRows(tx, tx.selectFrom(table).select('id').where('id', '=', id)).executeTakeFirst();
  return row !== undefined;
}
