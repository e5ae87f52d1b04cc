import { erasedEmail } from '../../../../contract/clients/privacy.ts';
import { isAmong } from '../../../db/dialect.ts';
import type { Db } from '../../../db/tables.ts';

/** Whether there is somebody to ask: 'Pruebas' is nobody (SELL-04), and an erased client has no address any more. */
export const isSomebody = ({ id, email, is_system }: { id: number; email: string; is_system: boolean }) =>
  !is_system && email !== erasedEmail(id);

/** Licences with what rows say of them, by id. Those of nobody are missing. */
export async function licensesById(db: Db, ids: number[]) {
  if (ids.length === 0) return new Map<number, never>();
  const rows = await db
    .selectFrom('licenses')
    .innerJoin('clients', 'clients.id', 'licenses.client_id')
    .innerJoin('software', 'software.id', 'licenses.software_id')
    .where((eb) => isAmong(db, eb.ref('licenses.id'), ids))
    .select([
      'licenses.id',
      'licenses.license_key',
      'licenses.status',
      'licenses.expiry_date',
      'licenses.grace_days',
      'licenses.price_cents',
      'licenses.currency',
      'licenses.max_installations',
      'licenses.current_installations',
      'licenses.created_at',
      'clients.id as client_id',
      'clients.name as client_name',
      'clients.email',
      'clients.is_system',
      'software.name as software_name',
      'software.version as software_version',
    ])
    .execute();
  const shown = rows
    .filter(({ client_id, email, is_system }) => isSomebody({ id: client_id, email, is_system }))
    .map(({ client_id, client_name, software_name, software_version, ...license }) => ({
      ...license,
      software: `${software_name} ${software_version}`,
      client: { id: client_id, name: client_name },
    }));
  return new Map(shown.map((license) => [license.id, license]));
}
