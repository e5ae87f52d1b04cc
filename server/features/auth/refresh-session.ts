import type { AppContext } from '../../context.ts';
import { lockRows } from '../../db/dialect.ts';
import { unauthorized } from '../../errors.ts';
import { hashToken } from '../../lib/secret.ts';
import { issueTokens, revokeSession, type TokenPair } from './auth.queries.ts';

/** Two tabs may exchange the same token at the same moment; the slower one must not be signed out (D008). */
const REFRESH_GRACE_MS = 10_000;

/**
 * Exchanges a refresh token for a new pair. A token is good once, and for ten more seconds; one that comes back
 * later was copied, and ends its whole session.
 * @throws unauthorized (401)
 */
export async function refreshSession(context: AppContext, refreshToken: string): Promise<TokenPair> {
  const now = context.now();
  const pair = await context.db.transaction().execute(async (tx) => {
    const token = await lockRows(
      tx,
      tx
        .selectFrom('tokens')
        .select(['hash', 'session_id', 'used_at'])
        .where('hash', '=', hashToken(refreshToken))
        .where('kind', '=', 'refresh')
        .where('expires_at', '>', now.toISOString()),
    ).executeTakeFirst();
    if (!token) return null;
    const session = await tx
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['sessions.id', 'sessions.expires_at'])
      .where('sessions.id', '=', token.session_id)
      .where('sessions.revoked_at', 'is', null)
      .where('users.is_active', '=', true)
      .executeTakeFirst();
    if (!session) return null;
    if (token.used_at !== null && now.getTime() - Date.parse(token.used_at) > REFRESH_GRACE_MS) {
      // Committed, not thrown: the end of the session must be stored.
      await revokeSession(tx, session.id, now);
      return null;
    }
    if (token.used_at === null) {
      await tx
        .updateTable('tokens')
        .set({ used_at: now.toISOString() })
        .where('hash', '=', token.hash)
        .execute();
    }
    return issueTokens(tx, session.id, session.expires_at, now);
  });
  if (!pair) throw unauthorized();
  return pair;
}
