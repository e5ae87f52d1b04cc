import type { FieldFaults } from '../../../contract/field-errors.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses.ts';
import { keepRows } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { fault } from '../../errors.ts';

/** The records that a licence refers to; absent and null mean none. */
export type References = {
  client?: number | undefined;
  software?: number | undefined;
  license_type_config?: number | null | undefined;
};

type Ids = { client: number | null; software: number | null; type: number | null };

/** The referenced records that exist, in one query. */
const existing = prepared((db, { client, software, type }: Ids) =>
  db
    .with('named_client', () =>
      keepRows(db, db.selectFrom('clients').select('clients.id').where('clients.id', '=', client)),
    )
    .with('named_software', () =>
      keepRows(db, db.selectFrom('software').select('software.id').where('software.id', '=', software)),
    )
    .with('named_type', () =>
      keepRows(
        db,
        db.selectFrom('license_types').select('license_types.id').where('license_types.id', '=', type),
      ),
    )
    .selectNoFrom((eb) => [
      eb.selectFrom('named_client').select('id').as('client'),
      eb.selectFrom('named_software').select('id').as('software'),
      eb.selectFrom('named_type').select('id').as('type'),
    ]),
);

/**
 * A message for each referenced record that does not exist. Existing ones are locked against deletion until the
 * transaction ends.
 */
export async function unknownReferences(tx: Db, references: References): Promise<FieldFaults> {
  const { client = null, software = null, license_type_config: type = null } = references;
  const [found] = await existing(tx, { client, software, type });
  const errors: FieldFaults = {};
  const unknown = (message: string) => [fault('unknown_reference', message)];
  if (client !== null && found?.client !== client) errors.client = unknown(LICENSE_MESSAGES.unknownClient);
  if (software !== null && found?.software !== software) {
    errors.software = unknown(LICENSE_MESSAGES.unknownSoftware);
  }
  if (type !== null && found?.type !== type) {
    errors.license_type_config = unknown(LICENSE_MESSAGES.unknownType);
  }
  return errors;
}
