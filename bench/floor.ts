import { join } from 'node:path';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import pg from 'pg';
import { DATABASE_FILE } from '../server/db/open.ts';
import { FLOOR_SQL as SQL } from './floor-sql.ts';

/**
 * The floor server: plain Fastify and the database driver with the product's statements, prepared once. It has no
 * validation, session check, log, headers or rules, so it shows what an answer costs on this machine without the
 * product. The bench starts it with the folder or the URL of a database as its argument.
 */

type Row = Record<string, unknown>;
type Run = (statement: string, ...values: unknown[]) => Promise<Row[]>;
type Engine = {
  run: Run;
  /** Runs statements in one transaction. */
  together: <Result>(work: (run: Run) => Promise<Result>) => Promise<Result>;
};

const target = process.argv[2] ?? '';
const isPostgres = target.startsWith('postgres');
const { run, together } = isPostgres ? openPostgres(target) : openSqlite(join(target, DATABASE_FILE));

function openSqlite(file: string): Engine {
  const db = new Database(file);
  for (const setting of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) db.pragma(setting);
  db.pragma('cache_size = -65536');
  db.pragma('mmap_size = 1073741824');
  const kept = new Map<string, Database.Statement<unknown[], Row>>();
  const statementOf = (text: string) => {
    let statement = kept.get(text);
    if (!statement) {
      // `+?` as in the product (server/db/sqlite/driver.ts). With a plain `?` the floor would be five times slower.
      statement = db.prepare<unknown[], Row>(text.replaceAll(/\$\d+/g, '+?'));
      kept.set(text, statement);
    }
    return statement;
  };
  const runNow: Run = async (text, ...values) => {
    const statement = statementOf(text);
    if (statement.reader) return statement.all(values);
    statement.run(values);
    return [];
  };
  return {
    run: runNow,
    together: async (work) => {
      // `work` awaits only statements, which are synchronous, so no other request runs in between.
      await runNow('begin immediate');
      const result = await work(runNow);
      await runNow('commit');
      return result;
    },
  };
}

function openPostgres(url: string): Engine {
  const pool = new pg.Pool({ connectionString: url, max: 16 });
  const names = new Map<string, string>();
  const named = (text: string, values: unknown[]) => {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return { name, text, values };
  };
  return {
    run: async (text, ...values) => (await pool.query<Row>(named(text, values))).rows,
    together: async (work) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const result = await work(
          async (text, ...values) => (await client.query<Row>(named(text, values))).rows,
        );
        await client.query('commit');
        return result;
      } finally {
        client.release();
      }
    },
  };
}

const app = Fastify();

let bare = '{}';
app.get<{ Querystring: { bytes?: string } }>('/bare', async (request, reply) => {
  const bytes = Number(request.query.bytes ?? 2);
  if (bare.length !== bytes) bare = `{"a":"${'x'.repeat(Math.max(0, bytes - 8))}"}`;
  return reply.type('application/json').send(bare);
});

type Machine = { license_key: string; machine_id: string };

app.post<{ Body: Machine }>('/validate', async ({ body }) => {
  const [license] = await run(SQL.validate, body.machine_id, body.license_key);
  return { valid: true, license };
});

app.post<{ Body: Machine }>('/heartbeat', async ({ body }) => {
  const [machine] = await run(SQL.findMachine, body.machine_id, body.license_key);
  const at = new Date().toISOString();
  await run(SQL.stamp, at, '192.0.2.1', machine?.id);
  return { success: true, machine, at };
});

app.post<{ Body: Machine }>('/activate', ({ body }) =>
  together(async (query) => {
    const [license] = await query(SQL.findLicense, body.license_key);
    const [seat] = await query(
      SQL.takeSeat,
      license?.id,
      body.machine_id,
      body.machine_id,
      new Date().toISOString(),
    );
    await query(SQL.countSeat, license?.id);
    return { ...seat, license };
  }),
);

app.get('/licenses', async () => {
  const [total] = await run(SQL.countLicenses);
  return { count: total?.n, results: await run(SQL.listLicenses) };
});

/** Reads every row: the cost of a search without an index. */
app.get<{ Querystring: { search: string } }>('/clients', async ({ query }) => {
  const pattern = `%${query.search}%`;
  const [total] = await run(SQL.countClientsLike, pattern);
  return { count: total?.n, results: await run(SQL.listClientsLike, pattern) };
});

app.get<{ Params: { id: string } }>('/clients/:id', async ({ params }) => {
  const id = Number(params.id);
  const [client] = await run(SQL.client, id);
  const licenses = await run(SQL.licensesOfClient, id);
  return { ...client, licenses, installations: await run(SQL.installationsOfClient, id) };
});

app.get('/statistics', async () => {
  const now = new Date().toISOString();
  return { statistics: await run(SQL.statistics, now) };
});

app.post<{ Body: { name: string; email: string; phone: string } }>('/clients', async ({ body }) => {
  const { name, email, phone } = body;
  const now = new Date().toISOString();
  const [client] = await run(SQL.insertClient, name, email, email, phone, email, now, now);
  return client;
});

app.post<{ Body: { client: number; key: string } }>('/licenses', ({ body }) =>
  together(async (query) => {
    const now = new Date().toISOString();
    const [license] = await query(SQL.insertLicense, body.key, body.client, now, now, body.key, now, now);
    await query(SQL.insertMessage, license?.id, `licencia-${body.key}@example.com`, now);
    return license;
  }),
);

/** One row and one flush to disk: the cost of a durable write. */
let written = 0;
await run('create table if not exists floor_notes (id bigint primary key, body text not null)');
await run('delete from floor_notes');
app.post('/write', async () => {
  written += 1;
  await run('insert into floor_notes (id, body) values ($1, $2)', written, 'una nota de unas cuantas letras');
  return { id: written };
});

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
process.on('SIGTERM', () => process.exit(0));
