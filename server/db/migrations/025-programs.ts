import { type Kysely, sql } from 'kysely';

/**
 * What installed programs need: the code of a software, by which shipped programs name it; days without connection and
 * features of types and licences; the keys that sign answers. The codes are computed here, since SQL has no way to
 * leave out accents.
 */
export async function up(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  for (const table of ['license_types', 'licenses']) {
    const on = sql.table(table);
    await sql`alter table ${on} add column offline_days integer not null default 7`.execute(db);
    // JSON: the features by code
    await sql`alter table ${on} add column features text not null default '{}'`.execute(db);
  }
  await sql`alter table software add column code text not null default ''`.execute(db);
  await giveCodes(db);
  await sql`create index software_by_code on software (code)`.execute(db);
  await sql`create index software_by_name on software (name_order, id)`.execute(db);

  const instant = sql.raw(engine === 'postgres' ? 'timestamptz(3)' : 'text');
  await sql`create table signing_keys (
    kid text primary key,
    state text not null check (state in ('current', 'next', 'retired')),
    -- JSON: the public key as a JWK
    public_key text not null,
    -- Encrypted under SECRET_KEY
    private_key text not null,
    created_at ${instant} not null,
    current_since ${instant},
    retired_at ${instant},
    -- The last end of the files that it signed
    files_end ${instant}
  )`.execute(db);
  await sql`create unique index signing_keys_in_use on signing_keys (state) where state <> 'retired'`.execute(
    db,
  );
}

type Named = { id: number; name: string };

/** The versions of a software share a code; names that differ only in case are one name. Earlier rows choose first. */
async function giveCodes(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Named>`select id, name from software order by id`.execute(db);
  const byName = new Map<string, string>();
  const taken = new Set<string>();
  for (const { id, name } of rows) {
    const key = name.toLowerCase();
    let code = byName.get(key);
    if (code === undefined) {
      code = freeCode(name, taken);
      byName.set(key, code);
      taken.add(code);
    }
    await sql`update software set code = ${code} where id = ${id}`.execute(db);
  }
}

function freeCode(name: string, taken: ReadonlySet<string>): string {
  const wanted = codeOf(name);
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const code = `${wanted}-${number}`;
    if (!taken.has(code)) return code;
  }
}

/** 'Punto de Venta' is 'punto-de-venta'. A name without Latin letters is 'software', one of digits 'software-360'. */
function codeOf(name: string): string {
  const words = name
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^-+|-+$/g, '');
  if (words === '') return 'software';
  return /^\d+$/.test(words) ? `software-${words}` : words;
}
