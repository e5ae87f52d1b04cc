import { record } from '../../../records/record-event.ts';
import type { Scope } from '../../../scope.ts';
import { revokeSession, userActor } from './auth.queries.ts';

/** Ends a session and writes its event. A session that has already ended stays unchanged. */
export async function endSession(scope: Scope, sessionId: number, reason?: string): Promise<void> {
  const user = await revokeSession(scope.tx, sessionId, scope.now);
  if (!user) return;
  await record(scope, {
    type: 'session.revoked',
    subject: { id: sessionId, name: userActor(user).name },
    reason: reason ?? null,
  });
}
