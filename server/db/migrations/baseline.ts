import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/**
 * The first migration makes the whole schema of 0.3.0. A database of that release has it already, so it is taken over:
 * the names of its migrations are replaced by that of the baseline (docs/decisions/171-one-baseline.md).
 */
export const BASELINE = '001-baseline';

/** The release whose databases and copies are taken over, and its last migration; migrations run in their order. */
const TAKEN_OVER = { version: '0.3.0', last: '103-named-by-the-field' };

/**
 * The jobs by which 0.3.0 completes rows of versions before it: the name of the mark that each leaves in the table
 * `folds` when it has ended, and what staff read in its place. This program reads completed rows only.
 */
const JOBS = {
  machine_ids: 'Identificadores de equipos de antes',
  search_texts: 'Textos de búsqueda',
  payment_texts: 'Referencias de pagos',
};

/** Why a database or copy is not taken over yet: its schema is older, or the jobs with these labels have not ended. */
export type Hindrance = { kind: 'older' } | { kind: 'unfinished'; labels: string[] };

/** A database that an earlier version must bring up to date first. The message says how, in Spanish. */
export class OlderSchemaError extends Error {
  override name = 'OlderSchemaError';
  readonly hindrance: Hindrance;

  constructor(hindrance: Hindrance) {
    super(refusalText(hindrance, 'database'));
    this.hindrance = hindrance;
  }
}

/**
 * What a database that was taken over keeps, because processes of 0.3.0 that still run read it. A migration of the next
 * release drops it, with the index installations_without_key.
 */
export const TABLES_LEFT: readonly string[] = ['folds'];

/** Whether a database has the migrations of the versions before the baseline. */
export const hasOldNames = (applied: readonly string[]): boolean =>
  applied.length > 0 && applied.every((name) => name !== BASELINE && name <= TAKEN_OVER.last);

/**
 * What keeps a database or copy from being taken over.
 * @param applied the names of its migrations, for which {@link hasOldNames} holds
 * @param ask runs a statement that reads, and answers with its rows
 * @returns null if nothing does
 */
export async function hindranceOf(
  applied: readonly string[],
  ask: (statement: string) => unknown[] | Promise<unknown[]>,
): Promise<Hindrance | null> {
  if (!applied.includes(TAKEN_OVER.last)) return { kind: 'older' };
  const marks = (await ask('select name from folds where ended_at is not null')) as { name: string }[];
  const ended = new Set(marks.map(({ name }) => name));
  // A process of 0.2.0 that still ran when the job had ended has written such rows.
  const lacking = await ask('select 1 from installations where machine_key is null limit 1');
  if (lacking.length > 0) ended.delete('machine_ids');
  const labels = Object.entries(JOBS).flatMap(([name, label]) => (ended.has(name) ? [] : [label]));
  return labels.length === 0 ? null : { kind: 'unfinished', labels };
}

/** What a hindrance is and what to do about it, as two texts in Spanish. */
export function hindranceTexts(hindrance: Hindrance, of: 'database' | 'copy') {
  const { version } = TAKEN_OVER;
  const is = of === 'database' ? 'La base de datos es' : 'La copia es';
  const message =
    hindrance.kind === 'older'
      ? `${is} de una versión anterior a la ${version}.`
      : `${is} de la versión ${version}, cuyos trabajos no han terminado: ${hindrance.labels.map((label) => `«${label}»`).join(', ')}.`;
  const first =
    of === 'database'
      ? `Inicia primero la versión ${version} con ella`
      : `Restaura primero con la versión ${version}, iníciala`;
  return {
    message,
    remedy: `${first}, deja que terminen sus trabajos (unos minutos) y después inicia esta.`,
  };
}

/** The same as one text, for a program that ends with it. */
export function refusalText(hindrance: Hindrance, of: 'database' | 'copy'): string {
  const { message, remedy } = hindranceTexts(hindrance, of);
  return `${message} ${remedy} No se cambió nada.`;
}

/** Takes over a database of 0.3.0 that nothing hinders. Processes of 0.3.0 that still run go on with it. */
export async function takeOver(tx: Kysely<Tables>): Promise<void> {
  await sql`delete from kysely_migration`.execute(tx);
  await sql`insert into kysely_migration (name, timestamp) values (${BASELINE}, ${new Date().toISOString()})`.execute(
    tx,
  );
  await tx.deleteFrom('jobs').where('kind', 'like', 'fold-%').execute();
  // By this name processes of 0.2.0 wrote license_last_signals.
  await sql`drop view if exists license_heard`.execute(tx);
}

/**
 * Removes the mark of the job that fills the keys of machines where rows without one are there: the next start of 0.3.0
 * runs the job again.
 */
export async function removeFalseMark(db: Kysely<Tables>): Promise<void> {
  await sql`delete from folds where name = 'machine_ids'
    and exists (select 1 from installations where machine_key is null)`.execute(db);
}
