import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import { keepRows } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { fault } from '../../errors.ts';

/** The records to which a licence refers; absent or null means none. */
type References = {
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

/** Returns the errors for the references of one licence that do not exist. */
type Unknown = (references: References) => FieldFaults;

/**
 * Like {@link unknownReferences} for many licences at once: one statement for each kind of record, which locks in the
 * order of ids.
 */
export async function unknownAmong(tx: Db, all: References[]): Promise<Unknown> {
  const known = async (table: 'clients' | 'software' | 'license_types', name: keyof References) => {
    const ids = new Set(all.flatMap((one) => one[name] ?? []));
    if (ids.size === 0) return ids;
    const rows = tx
      .selectFrom(table)
      .select(`${table}.id`)
      .where(`${table}.id`, 'in', [...ids]);
    return new Set((await keepRows(tx, rows.orderBy(`${table}.id`)).execute()).map(({ id }) => id));
  };
  const clients = await known('clients', 'client');
  const software = await known('software', 'software');
  const types = await known('license_types', 'license_type_config');
  return (one) =>
    messagesFor(one, {
      client: clients.has(one.client ?? 0),
      software: software.has(one.software ?? 0),
      type: types.has(one.license_type_config ?? 0),
    });
}

function messagesFor(
  { client, software, license_type_config: type }: References,
  isKnown: { client: boolean; software: boolean; type: boolean },
): FieldFaults {
  const errors: FieldFaults = {};
  const unknown = (message: string) => [fault('unknown_reference', message)];
  if (client != null && !isKnown.client) errors.client = unknown(LICENSE_MESSAGES.unknownClient);
  if (software != null && !isKnown.software) errors.software = unknown(LICENSE_MESSAGES.unknownSoftware);
  if (type != null && !isKnown.type) errors.license_type_config = unknown(LICENSE_MESSAGES.unknownType);
  return errors;
}

/**
 * An error for each referenced record that does not exist. Existing records cannot be deleted until the transaction
 * ends.
 */
export async function unknownReferences(tx: Db, references: References): Promise<FieldFaults> {
  const { client = null, software = null, license_type_config: type = null } = references;
  const [found] = await existing(tx, { client, software, type });
  return messagesFor(references, {
    client: found?.client === client,
    software: found?.software === software,
    type: found?.type === type,
  });
}
