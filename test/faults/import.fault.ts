import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ImportProgress } from '../../contract/imports/imports.ts';
import type { RunningServer } from '../start-server.ts';
import { ENGINES, engineEnv, startForTest } from './engines.ts';
import { call, signIn } from './http.ts';
import { record } from './promises.ts';
import { withDatabase } from './stored-rows.ts';

const IMPORTS = '/licenses/api/imports/';
const ROWS = Number(process.env.IMPORT_ROWS ?? 10_000);
const KILLS = 10;

const NAMES = ['Ana López', 'José Ñandú', 'María\u00a0Peña', '  Íñigo Ruiz', 'Sofía Güemes\u200b'];
const DAYS = ['3/2/2026', '2026-02-03', '3-2-26', '03-feb-26', ''];

/** Rows as in users' spreadsheets. One in a hundred cannot be imported. */
function line(n: number): string {
  const phone = n % 100 === 99 ? '5,25512E+11' : `(55) ${1000 + (n % 9000)}-${1000 + (n % 7919)}`;
  const blank = n % 250 === 0 ? ';;;;;;\r\n' : '';
  return `${blank}${NAMES[n % 5]} ${n};CLIENTE${n}@mx.mx;${phone};"Comercial ""${n}""; sucursal";Jalisco;${DAYS[n % 5]};${n % 7 ? '' : '-'}`;
}

const HEAD = 'LISTA DE CLIENTES;;;;;;\r\nNombre;Correo;Celular;Empresa;Estado;Último contacto;Notas';
const FILE = Buffer.from(
  `${HEAD}\r\n${Array.from({ length: ROWS }, (_, n) => line(n)).join('\r\n')}`.replace(/\u200b/g, ''),
  'latin1',
);

async function upload(server: RunningServer, token: string): Promise<ImportProgress> {
  const answer = await fetch(`${server.url}${IMPORTS}?kind=clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
    body: FILE,
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as ImportProgress;
}

test.for(ENGINES)(
  'an import killed ten times with kill -9 continues and stores each row once, %s',
  async (engine, context) => {
    const env = await engineEnv(engine);
    const server = await startForTest(env);
    const { token } = await signIn(server);
    const { id, mapping } = await upload(server, token);
    const progress = async (): Promise<ImportProgress> =>
      (await call(server, 'GET', `${IMPORTS}${id}/`, { token })).body;
    const until = async (isSo: (now: ImportProgress) => boolean) => {
      const deadline = Date.now() + 150_000;
      let now = await progress();
      while (!isSo(now)) {
        if (Date.now() > deadline)
          throw new Error(`The import stands still: ${now.state}, ${now.done} rows.`);
        await setTimeout(50);
        now = await progress();
      }
      return now;
    };
    const rest = { created: ROWS * 0.99, refused: ROWS * 0.01 };
    await call(server, 'POST', `${IMPORTS}${id}/check/`, { token, body: { mapping, mode: 'create' } });
    const { check } = await until(({ state }) => state === 'checked');
    expect([check?.to_create, check?.rows_with_errors]).toEqual([rest.created, rest.refused]);

    await call(server, 'POST', `${IMPORTS}${id}/run/`, { token, body: {} });
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const { done } = await progress();
      await until((now) => now.done > done || now.state === 'done');
      await setTimeout(Math.random() * 200);
      await server.kill();
      // The lease of the killed process would hold the job for half a minute, so the test ends it.
      await withDatabase(server, env, (db) =>
        db.updateTable('jobs').set({ claimed_until: null }).where('kind', '=', 'import').execute(),
      );
      await server.restart();
      record(context, {
        promise: 'kill -9 during an import: it goes on by itself, and each row is stored once',
        engine,
        tried: `${kill} kills, ${ROWS} rows`,
      });
    }
    const { result, done } = await until(({ state }) => state === 'done');
    expect([done, result?.created, result?.rows_with_errors]).toEqual([ROWS, rest.created, rest.refused]);
    const stored = await withDatabase(server, env, (db) =>
      db.selectFrom('clients').select('email_key').where('email_key', 'like', 'cliente%@mx.mx').execute(),
    );
    expect([stored.length, new Set(stored.map(({ email_key }) => email_key)).size]).toEqual([
      rest.created,
      rest.created,
    ]);
    const events = await call(server, 'GET', '/licenses/api/events/?type=import.finished', { token });
    expect(events.body.results).toHaveLength(1);
  },
);
