import type { CheckId, Finding } from '../../../../contract/system/system.ts';
import { troubleOf } from '../../../db/trouble.ts';
import { reasonOf } from '../../../lib/reason-of.ts';
import { within } from '../../../lib/within.ts';
import { type Check, type CheckContext, failure } from './check.ts';

const LIMIT_MS = 15_000;

export type Found = Finding & { id: CheckId };

/** The finding for an error that a check did not expect. */
function unexpected(error: unknown): Finding {
  const trouble = troubleOf(error);
  if (trouble) return failure(trouble.message, trouble.remedy);
  return failure(
    `No se pudo comprobar: ${reasonOf(error).slice(0, 300)}`,
    'Repite la comprobación; si sigue igual, reúne los datos con npm run doctor -- --bundle ARCHIVO y repórtalo.',
  );
}

/** Runs one check. It never rejects, and ends within the check's time limit. */
async function runCheck(check: Check, context: CheckContext): Promise<Found | null> {
  const finding = await findingOf(check, context);
  return finding && { id: check.id, ...finding };
}

async function findingOf(check: Check, context: CheckContext): Promise<Finding | null> {
  const limitMs = check.limitMs ?? LIMIT_MS;
  try {
    const work = check.run(context);
    // After the time limit nobody handles a failure, so it is ignored.
    work.catch(() => {});
    if (await within(limitMs, work)) return await work;
    return failure(
      `No terminó en ${limitMs / 1000} segundos.`,
      'Lo que se comprueba no responde: revisa la red y la carga de ese servicio.',
    );
  } catch (error) {
    return unexpected(error);
  }
}

/**
 * Runs checks, those of the database first. If the database or the schema is missing, the checks that need it are
 * skipped, because they would all report the same cause.
 * @param checks in the order of the answer
 * @param signal ends the run between two checks
 */
export async function runChecks(
  checks: readonly Check[],
  context: CheckContext,
  signal?: AbortSignal,
): Promise<Found[]> {
  const found = new Map<CheckId, Found | null>();
  const work = async (check: Check) => {
    if (!signal?.aborted) found.set(check.id, await runCheck(check, context));
  };
  const isGate = ({ id }: Check) => id === 'database' || id === 'migrations';
  const fails = (id: CheckId) => found.get(id)?.state === 'failure';

  const database = checks.find(({ id }) => id === 'database');
  if (database) await work(database);
  const migrations = checks.find(({ id }) => id === 'migrations');
  if (migrations && !fails('database')) await work(migrations);
  const hasDatabase = !fails('database');
  const hasSchema = hasDatabase && (found.get('migrations')?.state ?? 'ok') === 'ok';
  for (const check of checks.filter((one) => !isGate(one))) {
    if (check.callsOut && !context.config.outbound) continue;
    if (check.needs === 'database' && !hasDatabase) continue;
    if (check.needs === 'schema' && !hasSchema) continue;
    await work(check);
  }
  return checks.flatMap(({ id }) => found.get(id) ?? []);
}
