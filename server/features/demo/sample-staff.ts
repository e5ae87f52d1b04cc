import type { Db } from '../../db/tables.ts';
import type { Actor } from '../../scope.ts';
import { userActor } from '../people/sign-in/auth.queries.ts';

/** The actors of the sample data: the first account, and a colleague whose account no longer exists. */
export type Staff = { owner: Actor; colleague: Actor };

/** @returns the actors of the sample data; the owner is the first account */
export async function staffOf(tx: Db): Promise<Staff> {
  const first = await tx
    .selectFrom('users')
    .select(['id', 'names', 'last_name'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const owner: Actor = userActor(first);
  return { owner, colleague: { kind: 'user', id: null, name: 'Sofía Méndez' } };
}
