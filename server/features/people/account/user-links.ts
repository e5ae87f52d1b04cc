import type { Db, UserLinksTable } from '../../../db/tables.ts';
import { AppError } from '../../../errors.ts';
import { createToken, hashToken } from '../../../lib/secret.ts';
import { Turns } from '../../../limits/turns.ts';
import type { Scope } from '../../../scope.ts';

/** One-time links in mails; the database holds their hashes only (PEOPLE-03, PEOPLE-04). */

export type LinkKind = UserLinksTable['kind'];

const MINUTE_MS = 60_000;

/** How long each kind of link holds. */
export const HOLDS_MS: Record<LinkKind, number> = {
  invitation: 48 * 60 * MINUTE_MS,
  password_reset: 10 * MINUTE_MS,
  first_admin: 24 * 60 * MINUTE_MS,
};

/** The console's screen of each kind. */
const SCREENS: Record<LinkKind, string> = {
  invitation: '/invitacion',
  password_reset: '/restablecer',
  first_admin: '/primer-administrador',
};

/**
 * Makes the link of a user; an earlier one of the same kind is void.
 * @param userId null for the link that makes the first administrator
 * @param besides true where the earlier ones stay until their end: anybody may ask for such a link
 * @returns its path. The token stands after '#', where browsers keep it to themselves: it reaches no log, and a
 * scanner of mail that opens the link uses nothing up.
 */
export async function createLink(
  { tx, now }: Scope,
  kind: LinkKind,
  userId: number | null,
  besides = false,
): Promise<string> {
  const token = createToken();
  if (!besides) await voidLinks(tx, kind, userId);
  await tx
    .insertInto('user_links')
    .values({
      hash: hashToken(token),
      user_id: userId,
      kind,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + HOLDS_MS[kind]).toISOString(),
    })
    .execute();
  return `${SCREENS[kind]}#${token}`;
}

/** Deletes the unused links of a user. */
export async function voidLinks(db: Db, kind: LinkKind, userId: number | null): Promise<void> {
  const links = db.deleteFrom('user_links').where('kind', '=', kind);
  await (userId === null
    ? links.where('user_id', 'is', null)
    : links.where('user_id', '=', userId)
  ).execute();
}

/** Whose link it is, without using it up; undefined for an unknown, used or expired one. */
export async function findLink(
  db: Db,
  kind: LinkKind,
  token: string,
  now: Date,
): Promise<number | null | undefined> {
  const link = await db
    .selectFrom('user_links')
    .select('user_id')
    .where('hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
  return link?.user_id;
}

/**
 * Uses a link up. Of calls at the same time one succeeds.
 * @returns whose link it was; null for the first administrator's
 * @throws AppError (400, invalid_token) for an unknown, used or expired one
 */
export async function consumeLink({ tx, now }: Scope, kind: LinkKind, token: string): Promise<number | null> {
  const used = await tx
    .deleteFrom('user_links')
    .where('hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', now.toISOString())
    .returning('user_id')
    .executeTakeFirst();
  if (!used) throw invalidLink();
  return used.user_id;
}

const turns = new Turns(1, 1000);

/**
 * Runs the uses of one link one after another in this process. A password is hashed before the transaction that uses
 * the link up; so whoever comes later finds the link used before anything is hashed.
 * @param signal aborted when the caller has disconnected
 * @throws rateLimited (429) when a thousand wait
 */
export const inTurn = <Result>(
  token: string,
  signal: AbortSignal,
  use: () => Promise<Result>,
): Promise<Result> => turns.run(hashToken(token), signal, use);

export const invalidLink = () => new AppError(400, 'invalid_token');

/** Deletes expired links. */
export async function deletePastLinks(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('user_links').where('expires_at', '<=', now.toISOString()).execute();
}
