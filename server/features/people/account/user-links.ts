import { LINK_FRAGMENT } from '../../../../contract/people/oidc-messages.ts';
import type { Db, UserLinksTable } from '../../../db/tables.ts';
import { AppError } from '../../../errors.ts';
import { createToken, hashToken } from '../../../lib/secret.ts';
import { Turns } from '../../../limits/turns.ts';
import type { Scope } from '../../../scope.ts';

/** One-time links in mails; the database stores only their hashes (PEOPLE-03, PEOPLE-04). */

export type LinkKind = UserLinksTable['kind'];

const MINUTE_MS = 60_000;

/** How long each kind of link is valid, in milliseconds. */
export const HOLDS_MS: Record<LinkKind, number> = {
  invitation: 48 * 60 * MINUTE_MS,
  password_reset: 10 * MINUTE_MS,
  first_admin: 24 * 60 * MINUTE_MS,
  sign_in: 10 * MINUTE_MS,
};

/** The address of the console's screen for each kind, to which the token is appended. */
const SCREENS: Record<LinkKind, string> = {
  invitation: '/invitacion#',
  password_reset: '/restablecer#',
  first_admin: '/primer-administrador#',
  sign_in: `/login#${LINK_FRAGMENT}=`,
};

/**
 * Makes a link for a user; earlier links of the same kind become invalid.
 * @param userId null for the link that creates the first administrator
 * @param besides true to keep earlier links valid, because anybody can request such a link
 * @returns its path. The token is after '#', which browsers send to no server: so no log contains it, and a mail
 * scanner that opens the link does not use it up.
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
  return `${SCREENS[kind]}${token}`;
}

/** Deletes the unused links of a user. */
export async function voidLinks(db: Db, kind: LinkKind, userId: number | null): Promise<void> {
  const links = db.deleteFrom('user_links').where('kind', '=', kind);
  await (userId === null
    ? links.where('user_id', 'is', null)
    : links.where('user_id', '=', userId)
  ).execute();
}

/** The owner of a link, without using it up; undefined for an unknown, used or expired link. */
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
 * Uses up a link. Of concurrent calls only one succeeds.
 * @returns the owner; null for the link of the first administrator
 * @throws AppError (400, invalid_token) for an unknown, used or expired link
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
 * Runs the uses of the same link one after another within this process. A password is hashed before the transaction
 * that uses up the link; in this order, a later caller finds the link used before hashing.
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
