import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { DEMO_ACCOUNT } from '../../../contract/auth.ts';
import { health } from '../../../contract/health.ts';
import { type AppContext, PUBLIC } from '../../context.ts';
import { verifyPassword } from '../../lib/password.ts';
import { findUserByUsername } from '../auth/auth.queries.ts';

/** How long an answer about the mail server is good; asking it costs a connection. */
const MAIL_CHECK_MS = 30_000;
const DATABASE_TIMEOUT_MS = 2000;

export const healthRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const isMailReachable = rememberFor(MAIL_CHECK_MS, () => context.mailer.isReachable());
    const isDemoAccountOpen = demoAccountCheck(context);

    // The exact path is not settled by the specification; both are served, with one body (D036).
    for (const url of ['/api/health/', '/licenses/api/health/']) {
      app.get(
        url,
        {
          config: PUBLIC,
          schema: {
            tags: ['Estado'],
            summary: 'Estado del servicio',
            response: { 200: health, 503: health },
          },
        },
        async (_request, reply) => {
          const databaseOk = await answersInTime(
            sql`select 1`.execute(context.db).then(() => true),
            DATABASE_TIMEOUT_MS,
          );
          const emailOk = await isMailReachable();
          const demoAccount = databaseOk && (await isDemoAccountOpen().catch(() => false));
          return reply.code(databaseOk ? 200 : 503).send({
            success: databaseOk,
            status: databaseOk ? 'ok' : 'error',
            database: databaseOk ? 'ok' : 'error',
            email: emailOk ? 'ok' : 'error',
            version: context.config.version,
            timestamp: context.now().toISOString(),
            demo_account: demoAccount,
            business_timezone: context.config.timeZone,
          });
        },
      );
    }
  };

/** Whether the hint on the sign-in page would be true (D006). A hash is checked once, not at every call. */
function demoAccountCheck(context: AppContext): () => Promise<boolean> {
  let checked: { hash: string; matches: boolean } | undefined;
  return async () => {
    if (!context.config.demo) return false;
    const user = await findUserByUsername(context.db, DEMO_ACCOUNT.username);
    if (!user?.is_active) return false;
    if (checked?.hash !== user.password_hash) {
      const matches = await verifyPassword(user.password_hash, DEMO_ACCOUNT.password);
      checked = { hash: user.password_hash, matches };
    }
    return checked.matches;
  };
}

function rememberFor(milliseconds: number, ask: () => Promise<boolean>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  let askedAt = 0;
  return () => {
    if (answer === undefined || Date.now() - askedAt > milliseconds) {
      askedAt = Date.now();
      answer = ask();
    }
    return answer;
  };
}

async function answersInTime(answer: Promise<boolean>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([answer.catch(() => false), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
