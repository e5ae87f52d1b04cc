import type { AppContext } from '../../../context.ts';
import { lockRows } from '../../../db/dialect.ts';
import type { Db } from '../../../db/tables.ts';
import { unauthorized } from '../../../errors.ts';
import { hashToken } from '../../../lib/secret.ts';
import { inScope, type Origin, SYSTEM } from '../../../scope.ts';
import { issueTokens, type TokenPair } from './auth.queries.ts';
import { endSession } from './end-session.ts';

/** Two tabs may exchange the same token at once; the slower one must not be signed out (D008). */
const REFRESH_GRACE_MS = 10_000;

const IDLE = 'Sin uso';
const REUSED = 'Se presentó un token de renovación que ya se había usado';

/**
 * Exchanges a refresh token for a new pair. A token can be used once, and again within ten seconds as long as none of
 * the tokens issued for it was exchanged. Any later use means that the token was copied, and ends the whole session.
 * A session that was idle for too long ends (SESSION_IDLE_HOURS).
 * @throws unauthorized (401)
 */
export async function refreshSession(
  context: AppContext,
  refreshToken: string,
  origin: Origin,
): Promise<TokenPair> {
  const pair = await inScope(context, { actor: SYSTEM, origin }, async (scope) => {
    const { tx, now } = scope;
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
      .select((eb) => eb.fn.coalesce('sessions.last_used_at', 'sessions.created_at').as('used_at'))
      .where('sessions.id', '=', token.session_id)
      .where('sessions.revoked_at', 'is', null)
      .where('users.is_active', '=', true)
      .executeTakeFirst();
    if (!session) return null;
    if (now.getTime() - Date.parse(session.used_at) > context.config.sessionIdleMs) {
      await endSession(scope, session.id, IDLE);
      return null;
    }
    if (token.used_at !== null && !(await isWithinGrace(tx, { ...token, used_at: token.used_at }, now))) {
      // Returns and does not throw, so that the end of the session is committed.
      await endSession(scope, session.id, REUSED);
      return null;
    }
    if (token.used_at === null) {
      await tx
        .updateTable('tokens')
        .set({ used_at: now.toISOString() })
        .where('hash', '=', token.hash)
        .execute();
    }
    await tx
      .updateTable('sessions')
      .set({ last_used_at: now.toISOString() })
      .where('id', '=', session.id)
      .execute();
    return issueTokens(
      tx,
      { sessionId: session.id, sessionExpiresAt: session.expires_at, parent: token.hash },
      now,
    );
  });
  if (!pair) throw unauthorized();
  return pair;
}

/** True for a token that was exchanged within the last ten seconds and whose successors were not exchanged. */
async function isWithinGrace(
  tx: Db,
  token: { hash: string; session_id: number; used_at: string },
  now: Date,
): Promise<boolean> {
  if (now.getTime() - Date.parse(token.used_at) > REFRESH_GRACE_MS) return false;
  const exchangedSuccessor = await tx
    .selectFrom('tokens')
    .select('hash')
    .where('session_id', '=', token.session_id)
    .where('parent', '=', token.hash)
    .where('used_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return exchangedSuccessor === undefined;
}
