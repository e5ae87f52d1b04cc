import type { Db } from '../../db/tables.ts';
import type { Actor } from '../../scope.ts';
import { userActor } from '../auth/auth.queries.ts';

/** Who did what happened: the account of the installation, and a colleague who has none any more. */
export type Staff = { owner: Actor; colleague: Actor };

/** @returns the people of the sample data; the owner is the first account */
export async function staffOf(tx: Db): Promise<Staff> {
  const first = await tx
    .selectFrom('users')
    .select(['id', 'names', 'last_name', 'username'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const owner: Actor = first ? userActor(first) : { kind: 'user', id: null, name: 'Administrador Demo' };
  return { owner, colleague: { kind: 'user', id: null, name: 'Sofía Méndez' } };
}
