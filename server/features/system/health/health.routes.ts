import type { EmailTransport } from '../../../../contract/mail/email-transport.ts';
import { DEMO_ACCOUNT } from '../../../../contract/people/auth.ts';
import { health } from '../../../../contract/system/health.ts';
import { type Readiness, readiness } from '../../../../contract/system/readiness.ts';
import type { AppContext } from '../../../context.ts';
import { damageOf } from '../../../db/dialect.ts';
import { perDatabase } from '../../../db/per-database.ts';
import { anyone } from '../../../http/access.ts';
import { routesOf } from '../../../http/routes.ts';
import { verifyPassword } from '../../../lib/password.ts';
import { within } from '../../../lib/within.ts';
import { relyingPartyOf } from '../../people/passkeys/relying-party.ts';
import { findUserByUsername } from '../../people/sign-in/auth.queries.ts';
import { createWriteCheck, DATABASE_TIMEOUT_MS, isDatabaseUp } from './database-check.ts';

/** How long the result of a mail check is cached; a check costs a connection. */
const MAIL_CHECK_MS = 30_000;
/** A mail server that does not answer must not delay the health check. */
const MAIL_TIMEOUT_MS = 1500;

export const healthRoutes = routesOf('Estado', (app, context) => {
  const isDemoAccountOpen = demoAccountCheck(context);
  const relyingParty = relyingPartyOf(context.config);

  // The specification does not fix the path, so both paths have the same answer (D036).
  for (const url of ['/api/health/', '/licenses/api/health/']) {
    app.get(
      url,
      {
        config: anyone({ onPortalHost: true, everyHost: true }),
        schema: { summary: 'Estado del servicio', response: { 200: health, 503: health } },
      },
      async (_request, reply) => {
        const [isUp, { takesWrites, trouble }, emailOk, transport] = await Promise.all([
          isDatabaseUp(context.db),
          checksOf(context.db, context).tryToWrite(),
          answersInTime(checksOf(context.db, context).isMailReachable(), MAIL_TIMEOUT_MS),
          transportInTime(context),
        ]);
        const { oidc } = context.config;
        const damage = damageOf(context.db);
        const problem = damage ?? trouble;
        const databaseOk = isUp && takesWrites && damage === null;
        const demoAccount =
          databaseOk &&
          (await answersInTime(
            isDemoAccountOpen().catch(() => false),
            DATABASE_TIMEOUT_MS,
          ));
        return reply.code(databaseOk ? 200 : 503).send({
          success: databaseOk,
          status: databaseOk ? 'ok' : 'error',
          database: databaseOk ? 'ok' : 'error',
          ...(problem && { problem: `${problem.message} ${problem.remedy}` }),
          email: emailOk ? 'ok' : 'error',
          ...(transport && { email_transport: transport }),
          outbound: context.config.outbound,
          version: context.config.version,
          timestamp: context.now().toISOString(),
          demo_account: demoAccount,
          ...(relyingParty && !oidc?.only && { passkey_origin: relyingParty.origin }),
          ...(oidc && { oidc: { name: oidc.name, only: oidc.only } }),
          business_timezone: context.config.timeZone,
        });
      },
    );
  }

  app.get(
    '/api/health/ready/',
    {
      config: anyone({ everyHost: true }),
      schema: {
        summary: 'Si un balanceador puede enviar solicitudes aquí',
        response: { 200: readiness, 503: readiness },
      },
    },
    async (_request, reply) => {
      const status = await readinessOf(context);
      const success = status === 'ready';
      return reply.code(success ? 200 : 503).send({ success, status });
    },
  );
});

async function readinessOf({ db, isDraining }: AppContext): Promise<Readiness['status']> {
  if (isDraining()) return 'draining';
  return (await isDatabaseUp(db)) ? 'ready' : 'database_down';
}

/**
 * Whether the demo account on the sign-in page still works (D006). The same hash is checked only once, not at every
 * call.
 */
function demoAccountCheck(context: AppContext): () => Promise<boolean> {
  let checked: { hash: string; matches: boolean } | undefined;
  return async () => {
    if (!context.config.demo) return false;
    const user = await findUserByUsername(context.db, DEMO_ACCOUNT.username);
    if (!user?.is_active) return false;
    if (checked?.hash !== user.password_hash) {
      const { matches } = await verifyPassword(user.password_hash, DEMO_ACCOUNT.password);
      checked = { hash: user.password_hash, matches };
    }
    return checked.matches;
  };
}

/** Checks whose results are kept for some seconds. */
const checksOf = perDatabase((_db, context: AppContext) => ({
  tryToWrite: createWriteCheck(context),
  isMailReachable: rememberFor(MAIL_CHECK_MS, () => context.mailer.isReachable()),
}));

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

/** How mail leaves; undefined if the database, which may say so, does not answer in time. */
async function transportInTime({ mailer }: AppContext): Promise<EmailTransport | undefined> {
  const asked = mailer.transport().catch(() => undefined);
  return (await within(MAIL_TIMEOUT_MS, asked)) ? asked : undefined;
}

/** The answer, or false after the timeout. */
async function answersInTime(answer: Promise<boolean>, milliseconds: number): Promise<boolean> {
  return (await within(milliseconds, answer)) && (await answer);
}
