import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Installation } from '../../../contract/installations.ts';
import { HEARTBEAT_WINDOW_MS } from '../../../contract/limits.ts';
import { containsWord, isAmong, isRareWord, readsInProcess, searchWords } from '../../db/dialect.ts';
import { countKept } from '../../db/kept-counts.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { counted, gathered, lookThrough, type Matches } from '../../lib/matches.ts';
import { offsetOf, type PageRequest } from '../../lib/paging.ts';
import { idStretches } from '../../lib/stretches.ts';
import { completeInstallations, toInstallation } from './installations.queries.ts';

export type InstallationListQuery = {
  search?: string | undefined;
  license?: number | undefined;
  client?: number | undefined;
  software?: number | undefined;
  is_active?: boolean | undefined;
};

/** What others a row names is found by their indexes, or asked of each row that is walked. */
type Through = 'index' | 'rows';

/** A heartbeat after this moment makes a machine active (SEED-4-12). */
const activeSince = (now: Date) => new Date(now.getTime() - HEARTBEAT_WINDOW_MS).toISOString();

/** Every filter and every word, as conditions on `installations` alone. */
function conditions(db: Db, query: InstallationListQuery, now: Date, through: Through) {
  return (eb: ExpressionBuilder<Tables, 'installations'>): Expression<SqlBool> => {
    const { license, client, software, is_active } = query;
    const all: Expression<SqlBool>[] = [];
    const beat = eb.ref('installations.last_heartbeat');
    if (license !== undefined) all.push(eb('installations.license_id', '=', license));
    if (client !== undefined) all.push(ofLicense(eb, through, (of) => of('licenses.client_id', '=', client)));
    if (software !== undefined) {
      all.push(ofLicense(eb, through, (of) => of('licenses.software_id', '=', software)));
    }
    if (is_active === true) all.push(eb(beat, '>', activeSince(now)));
    if (is_active === false) all.push(eb.or([eb(beat, 'is', null), eb(beat, '<=', activeSince(now))]));
    for (const word of searchWords(query.search ?? '')) all.push(mentions(db, eb, word, through));
    return eb.and(all);
  };
}

/** True for installations of licences of which something is true. */
function ofLicense(
  eb: ExpressionBuilder<Tables, 'installations'>,
  through: Through,
  condition: (of: ExpressionBuilder<Tables, 'licenses'>) => Expression<SqlBool>,
): Expression<SqlBool> {
  const licenses = eb.selectFrom('licenses').select('licenses.id').where(condition);
  return through === 'index'
    ? eb('installations.license_id', 'in', licenses)
    : eb.exists(licenses.whereRef('licenses.id', '=', 'installations.license_id'));
}

/** A word is looked for in what the machine says of itself, in the licence's key, and in what is known of the client. */
function mentions(
  db: Db,
  eb: ExpressionBuilder<Tables, 'installations'>,
  word: string,
  through: Through,
): Expression<SqlBool> {
  return eb.or([
    containsWord(db, 'installations', word, through),
    ofLicense(eb, through, (of) => {
      const clients = of
        .selectFrom('clients')
        .select('clients.id')
        .where(containsWord(db, 'clients', word, through));
      return of.or([
        containsWord(db, 'licenses', word, through),
        through === 'index'
          ? of('licenses.client_id', 'in', clients)
          : of.exists(clients.whereRef('clients.id', '=', 'licenses.client_id')),
      ]);
    }),
  ]);
}

type ActiveBetween = { since: string; after?: number; upTo?: number };

const activeBetween = prepared((db, { since, after, upTo }: ActiveBetween) => {
  let rows = db.selectFrom('installations').where('last_heartbeat', '>', since);
  if (after !== undefined) rows = rows.where('id', '>', after);
  if (upTo !== undefined) rows = rows.where('id', '<=', upTo);
  return rows.select((eb) => eb.fn.countAll<number>().as('n'));
});

/** From the rows, a stretch at a time: an index would have to be written with each heartbeat (decisions/024). */
async function countActive(db: Db, since: string): Promise<number> {
  if (!readsInProcess(db)) return (await activeBetween(db, { since }))[0]!.n;
  let active = 0;
  for await (const stretch of idStretches(db, 'installations')) {
    active += (await activeBetween(db, { since, ...stretch }))[0]!.n;
  }
  return active;
}

/** Words that are found in at most so many rows bring few installations along; see lib/matches.ts. */
const RARE_IN_CLIENTS = 100;
const RARE_IN_LICENSES = 500;
const RARE = 1000;

async function areRare(db: Db, words: string[]): Promise<boolean> {
  for (const word of words) {
    if (
      (await isRareWord(db, 'clients', word, RARE_IN_CLIENTS)) &&
      (await isRareWord(db, 'licenses', word, RARE_IN_LICENSES)) &&
      (await isRareWord(db, 'installations', word, RARE))
    ) {
      return true;
    }
  }
  return false;
}

/** What a list query finds, on all pages. */
export async function matchInstallations(db: Db, query: InstallationListQuery, now: Date): Promise<Matches> {
  const { license, client, software, is_active } = query;
  const words = searchWords(query.search ?? '');
  const isOfSome = license !== undefined || client !== undefined;
  if (words.length === 0 && !isOfSome && software === undefined) {
    const total = await countKept(db, { table: 'installations' });
    if (is_active === undefined) return counted(total);
    const active = await countActive(db, activeSince(now));
    if (!is_active) return counted(total - active);
    // Few among many would be long in coming when the rows are walked by date.
    if (active > RARE || !readsInProcess(db)) return counted(active);
  }
  const ids = (through: Through) =>
    db
      .selectFrom('installations')
      .select('installations.id')
      .where(conditions(db, query, now, through));
  if (!readsInProcess(db)) {
    const { count } = await ids('index')
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return counted(count);
  }
  const areFew = isOfSome || (await areRare(db, words));
  if (areFew) return gathered((await ids('index').execute()).map(({ id }) => id));
  return lookThrough(db, 'installations', ({ after, upTo }) =>
    ids('rows').where('installations.id', '>', after).where('installations.id', '<=', upTo).execute(),
  );
}

/** One page of installations, the latest first: found by ids alone, and only its rows are then read whole. */
export async function listInstallations(
  db: Db,
  query: InstallationListQuery,
  matches: Matches,
  page: PageRequest,
  now: Date,
): Promise<Installation[]> {
  if (offsetOf(page) >= matches.count) return [];
  const { ids: few } = matches;
  const through = readsInProcess(db) ? 'rows' : 'index';
  const ids = db
    .selectFrom('installations')
    .select('installations.id')
    .where((eb) =>
      few ? isAmong(db, eb.ref('installations.id'), few) : conditions(db, query, now, through)(eb),
    )
    .orderBy('installations.installation_date', 'desc')
    .orderBy('installations.id', 'desc')
    .limit(page.pageSize)
    .offset(offsetOf(page));
  const rows = await completeInstallations(db)
    .where('installations.id', 'in', ids)
    .orderBy('installations.installation_date', 'desc')
    .orderBy('installations.id', 'desc')
    .execute();
  return rows.map((row) => toInstallation(row, now));
}
