import { randomBytes } from 'node:crypto';
import type { Db } from '../server/db/tables.ts';
import { mendCounts, mendSeats, wrongCounts, wrongSeats } from '../server/features/figures/recount.ts';
import { mendSums, wrongSums } from '../server/features/figures/recount-sums.ts';
import { pairKey, signInKeysOf } from '../server/features/people/sign-in/sign-in-limits.ts';
import { mendRecurring, wrongRecurring } from '../server/features/reports/recurring/recount-recurring.ts';
import { otherRunningZone } from '../server/features/settings/business-zone.queries.ts';
import { inOrder, SERVER_CHECKS } from '../server/features/system/checks/all-checks.ts';
import { businessTimezone } from '../server/features/system/checks/business-timezone.ts';
import { type Check, counted, failure, ok, warning } from '../server/features/system/checks/check.ts';
import { quickCheckOfFile } from '../server/features/system/checks/database.ts';
import { isPublic } from '../server/features/system/checks/public-url.ts';
import { mendUsage, wrongUsage } from '../server/features/usage/recount-usage.ts';
import { forgetFailures } from '../server/limits/throttle.ts';
import { changeZone } from './change-zone.ts';
import { dataDirOwner } from './data-dir-owner.ts';

/** Checks that only `npm run doctor` runs: they read whole tables, try to sign in, or look at the files as root (OPS-01). */

/**
 * Whether to repair differences found by a recount: 'ask' does not, 'mend' does, `refused` has the reason why it is
 * impossible, in Spanish.
 */
export type Mending = 'ask' | 'mend' | { refused: string };

/** The timeout of a recount. For a large installation it takes minutes. */
const RECOUNT_MS = 6 * 3_600_000;

type Recount = Pick<Check, 'id'> & {
  wrong: (db: Db) => Promise<number>;
  mend: (db: Db) => Promise<void>;
  one: string;
  many: string;
};

const inTransaction = (work: (tx: Db) => Promise<void>) => (db: Db) => db.transaction().execute(work);

const RECOUNTS: readonly Recount[] = [
  {
    id: 'counts',
    wrong: wrongCounts,
    mend: inTransaction(mendCounts),
    one: 'cuenta guardada no coincide con sus registros',
    many: 'cuentas guardadas no coinciden con sus registros',
  },
  {
    id: 'seats',
    wrong: wrongSeats,
    mend: inTransaction(mendSeats),
    one: 'licencia cuenta otros lugares que los de sus equipos',
    many: 'licencias cuentan otros lugares que los de sus equipos',
  },
  {
    id: 'sums',
    wrong: wrongSums,
    mend: mendSums,
    one: 'suma por día no coincide con sus registros',
    many: 'sumas por día no coinciden con sus registros',
  },
  {
    id: 'recurring',
    wrong: wrongRecurring,
    mend: mendRecurring,
    one: 'suma de la venta recurrente no coincide con sus registros',
    many: 'sumas de la venta recurrente no coinciden con sus registros',
  },
  {
    id: 'usage',
    wrong: wrongUsage,
    mend: inTransaction(mendUsage),
    one: 'consumo guardado no coincide con sus registros',
    many: 'consumos guardados no coinciden con sus registros',
  },
];

const recountCheck =
  (mending: Mending) =>
  ({ id, wrong, mend, one, many }: Recount): Check => ({
    id,
    needs: 'schema',
    limitMs: RECOUNT_MS,
    run: async ({ db, config }) => {
      const found = await wrong(db);
      if (found === 0) return ok('Coinciden con los registros.');
      const message = `${counted(found, one, many)}.`;
      if (mending === 'mend') {
        await mend(db);
        const left = await wrong(db);
        return left === 0 ? ok(`${message} Quedó corregido.`) : failure(message, 'Restaura la última copia.');
      }
      if (mending !== 'ask') return failure(message, mending.refused);
      const first = config.databaseUrl === null ? 'Detén el servidor y ejecuta' : 'Ejecuta';
      return failure(message, `${first} npm run doctor -- --fix.`);
    },
  });

/** With `--fix` the ends move to the days of the configured zone, which is kept from then on (INPUT-17). */
const zoneCheck = (mending: Mending): Check => ({
  ...businessTimezone,
  limitMs: RECOUNT_MS,
  run: async (context) => {
    const found = await businessTimezone.run(context);
    if (found === null || found.state === 'ok' || mending === 'ask') return found;
    if (mending !== 'mend') return warning(found.message, mending.refused);
    const { db, config } = context;
    const other = await otherRunningZone(db, config.timeZone, context.now());
    if (other !== undefined)
      return warning(
        found.message,
        `Un servidor en marcha usa ${other}: detén todos y repite npm run doctor -- --fix.`,
      );
    const count = await changeZone(context);
    return ok(
      `${config.timeZone}. ${counted(count, 'fecha se movió', 'fechas se movieron')} al mismo día en esta zona.`,
    );
  },
});

/** An IP address reserved for documentation, which nobody uses (RFC 5737). */
const FORGED = '203.0.113.77';
const HERE = ['127.0.0.1', '::1'];
const SIGN_IN_MS = 8000;

/**
 * Tries to sign in as an unknown user with a forged address, and checks under which address the server counted the
 * failure.
 */
const trustProxy: Check = {
  id: 'trust_proxy',
  needs: 'schema',
  callsOut: true,
  run: async (context) => {
    const { config, db } = context;
    const username = `doctor-${randomBytes(16).toString('hex')}`;
    const counts = async (ip: string) => {
      const key = pairKey(username, { ip, requestId: null });
      return (await db.selectFrom('throttles').select('key').where('key', '=', key).execute()).length > 0;
    };
    try {
      const { status } = await fetch(`${config.publicUrl}/api/auth/login/`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': FORGED },
        body: JSON.stringify({ username, password: randomBytes(16).toString('hex') }),
        signal: AbortSignal.timeout(SIGN_IN_MS),
      });
      if (status !== 401) return null;
    } catch {
      // If nothing answers, the check 'public_url' reports why.
      return null;
    }
    try {
      if (await counts(FORGED)) {
        return failure(
          'El servidor cree una dirección inventada (X-Forwarded-For): cualquiera puede fingir la suya y saltarse los límites.',
          'Escribe en TRUST_PROXY el número exacto de proxies que hay delante, quítala donde no hay ninguno, y no dejes que otros lleguen al puerto del servidor sin pasar por ellos.',
        );
      }
      const isOne = (await Promise.all(HERE.map(counts))).includes(true);
      if (isOne && isPublic(context) && config.trustProxy === false) {
        return warning(
          'Todas las personas cuentan como una sola, la del proxy: los límites de una son los de todas.',
          'Escribe TRUST_PROXY=1 si delante hay un proxy.',
        );
      }
      return ok('Una dirección inventada (X-Forwarded-For) no cambia nada.');
    } finally {
      await forgetFailures(db, signInKeysOf(username));
    }
  },
};

/** All checks, in the order in which they are printed. */
export const doctorChecks = (mending: Mending): Check[] =>
  inOrder([
    ...SERVER_CHECKS.filter(({ id }) => id !== businessTimezone.id),
    zoneCheck(mending),
    dataDirOwner,
    quickCheckOfFile,
    trustProxy,
    ...RECOUNTS.map(recountCheck(mending)),
  ]);
