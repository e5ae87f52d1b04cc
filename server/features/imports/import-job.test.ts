import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { IMPORT_MESSAGES } from '../../../contract/imports/imports.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { quiet } from '../../../test/deliver-mail.ts';
import { createClient, createSoftware } from '../../../test/factories.ts';
import { check, IMPORTS, importFile, progressOf, runImport, upload } from '../../../test/import-file.ts';
import { asSystem } from '../../../test/scope.ts';
import { claimJobs, storeProgress } from '../../jobs/jobs.queries.ts';
import { startJobs } from '../../jobs/runner.ts';
import { insertUser, openSession } from '../people/sign-in/auth.queries.ts';
import { housekeepingJob } from '../system/housekeeping/housekeeping-job.ts';
import { importJob } from './import-job.ts';

/** The job of an import stores each row once, even after interruptions (IMPORT-02). */

const NOW = '2026-11-21T18:00:00.000Z';
const DAY_MS = 24 * 60 * 60 * 1000;
const HEAD = 'Nombre,Email,Teléfono\n';
const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `Ana ${from + n},ana${from + n}@mx.mx,5512345678\n`).join('');

const post = (t: TestApp, path: string, body: unknown = {}, token?: string) =>
  t.call('POST', `${IMPORTS}${path}`, { body, ...(token !== undefined && { token }) });

/**
 * Uploads and checks a file.
 * @returns the id
 */
async function checkedFile(t: TestApp, file: string, kind = 'clients'): Promise<number> {
  const { id, mapping } = (await upload(t, kind, file)).body;
  await check(t, id, 'create', mapping);
  expect((await progressOf(t, id)).state).toBe('checked');
  return id;
}

const eventsOf = (t: TestApp, type: 'client.created' | 'import.finished') =>
  t.db.selectFrom('events').selectAll().where('type', '=', type).execute();

/** Processes one chunk of an import, like a process that is stopped after it. */
async function oneChunk(t: TestApp, id: number): Promise<void> {
  const stop = new AbortController();
  stop.abort();
  await runImport(t, id, stop.signal).catch((error: Error) => expect(error.message).toMatch('se detuvo'));
}

test('jobs check and import a large file, with one event for each record and one at the end (IMPORT-02, EVENT-01)', async () => {
  const t = await createTestApp({ now: NOW });
  const { id, mapping, rows } = (await upload(t, 'clients', `${HEAD}${lines(260)}\n\nMala,mala,1\n`)).body;
  expect(rows).toBe(261);
  const asked = await post(t, `${id}/check/`, { mapping, mode: 'create' });
  expect([asked.status, asked.body.state, asked.body.done, asked.body.check]).toEqual([
    202,
    'checking',
    0,
    null,
  ]);
  expect((await post(t, `${id}/check/`, { mapping, mode: 'create' })).status).toBe(409);
  expect((await post(t, `${id}/run/`)).status).toBe(409);
  await oneChunk(t, id);
  expect(await progressOf(t, id)).toMatchObject({ state: 'checking', total: 261, done: 25, result: null });
  const runner = startJobs(t.context, quiet, [importJob]);
  await expect.poll(async () => (await progressOf(t, id)).state).toBe('checked');
  const { check: forecast, result } = await progressOf(t, id);
  expect([forecast?.to_create, forecast?.rows_with_errors, forecast?.errors_total, result]).toEqual([
    260,
    1,
    2,
    null,
  ]);
  expect(forecast?.errors.map(({ row, field }) => [row, field])).toEqual([
    [264, 'email'],
    [264, 'phone'],
  ]);
  // The check has stored nothing.
  expect((await t.call('GET', '/licenses/api/clients/?page=1')).body.count).toBe(0);
  expect(await eventsOf(t, 'client.created')).toEqual([]);

  const started = await post(t, `${id}/run/`, { notify: true });
  expect([started.status, started.body.state]).toEqual([202, 'waiting']);
  await expect.poll(async () => (await progressOf(t, id)).state).toBe('done');
  // A repeated call changes nothing.
  expect((await post(t, `${id}/run/`)).body.state).toBe('done');
  await runner.stop();
  expect(await progressOf(t, id)).toMatchObject({
    done: 261,
    result: { created: 260, updated: 0, unchanged: 0, rows_with_errors: 1, errors_total: 2 },
    finished_at: NOW,
  });
  const created = await eventsOf(t, 'client.created');
  expect(created).toHaveLength(260);
  expect(created[0]).toMatchObject({
    actor_kind: 'user',
    actor_name: expect.stringMatching(/./),
    request_id: started.headers['x-request-id'],
  });
  const [finished, ...more] = await eventsOf(t, 'import.finished');
  expect([finished?.subject_id, finished?.subject_name, more]).toEqual([id, 'Clientes', []]);
  expect(JSON.parse(finished!.changes)).toEqual({
    created: { before: null, after: 260 },
    updated: { before: null, after: 0 },
    unchanged: { before: null, after: 0 },
    failed: { before: null, after: 1 },
  });
});

test('an import that is stopped ten times while two processes work on it stores each row once (IMPORT-02)', async () => {
  const t = await createTestApp({ now: NOW });
  const id = await checkedFile(t, `${HEAD}${lines(300)}`);
  await post(t, `${id}/run/`);
  for (let kill = 0; kill < 10; kill += 1) {
    // The lease of the dead process has ended.
    expect(await claimJobs(t.db, 'import', 1, 0, t.context.now())).toHaveLength(1);
    await oneChunk(t, id);
  }
  const half = await progressOf(t, id);
  expect([half.state, half.done, half.result?.created]).toEqual(['running', 250, 250]);
  await Promise.all([runImport(t, id), runImport(t, id)]);
  const done = await progressOf(t, id);
  expect([done.state, done.done, done.result?.created, done.result?.errors]).toEqual(['done', 300, 300, []]);
  const mails = await t.db.selectFrom('clients').select('email').execute();
  expect([mails.length, new Set(mails.map(({ email }) => email)).size]).toEqual([300, 300]);
  expect(await eventsOf(t, 'client.created')).toHaveLength(300);
  expect(await eventsOf(t, 'import.finished')).toHaveLength(1);
});

test('a cancelled import does not undo stored rows, and a cancelled check can be started again (IMPORT-01)', async () => {
  const t = await createTestApp({ now: NOW });
  const { id, mapping } = (await upload(t, 'clients', `${HEAD}${lines(300)}`)).body;
  await post(t, `${id}/check/`, { mapping, mode: 'create' });
  await oneChunk(t, id);
  expect((await post(t, `${id}/cancel/`)).body).toMatchObject({ state: 'uploaded', check: null });
  await check(t, id, 'upsert', mapping);
  await post(t, `${id}/run/`);
  await oneChunk(t, id);
  const cancelled = await post(t, `${id}/cancel/`);
  expect(cancelled.body).toMatchObject({ state: 'cancelled', done: 25, result: { created: 25 } });
  await runImport(t, id);
  expect((await t.call('GET', '/licenses/api/clients/?page=1')).body.count).toBe(25);
  expect((await eventsOf(t, 'import.finished'))[0]?.reason).toBe('Se canceló');
  // Cancelling again is not an error; everything else is.
  expect((await post(t, `${id}/cancel/`)).status).toBe(200);
  for (const [path, body] of [
    ['run/', {}],
    ['check/', { mapping, mode: 'create' }],
  ] as const) {
    expect((await post(t, `${id}/${path}`, body)).status).toBe(409);
  }
  const other = await checkedFile(t, `${HEAD}Mala,mala,1\n`);
  expect((await post(t, `${other}/cancel/`)).body).toMatchObject({
    state: 'cancelled',
    done: 0,
    result: { created: 0, rows_with_errors: 0, errors: [] },
  });
  expect(await eventsOf(t, 'import.finished')).toHaveLength(1);
  const { id: done } = await importFile(t, 'clients', `${HEAD}${lines(1, 900)}`);
  expect((await post(t, `${done}/cancel/`)).status).toBe(409);
});

test('an import that keeps failing ends as failed, and its check as not done (IMPORT-02)', async () => {
  const t = await createTestApp({ now: NOW });
  const { id, mapping } = (await upload(t, 'clients', `${HEAD}${lines(230)}`)).body;
  const fail = () =>
    importJob.runStored(t.context, JSON.stringify({ import: id }), {
      log: quiet,
      signal: AbortSignal.abort(),
      tries: 20,
      isLastTry: true,
    });
  await post(t, `${id}/check/`, { mapping, mode: 'create' });
  await expect(fail()).rejects.toThrow();
  expect((await progressOf(t, id)).state).toBe('uploaded');
  await check(t, id, 'create', mapping);
  await post(t, `${id}/run/`);
  await expect(fail()).rejects.toThrow();
  expect(await progressOf(t, id)).toMatchObject({ state: 'failed', result: { created: 25 } });
  expect((await eventsOf(t, 'import.finished'))[0]?.reason).toBe('Se interrumpió por un error');
  // A job does nothing if its import was deleted or has ended.
  await runImport(t, id);
  await runImport(t, 999);
});

test('the failed rows can be downloaded as a CSV, corrected and imported again (IMPORT-01)', async () => {
  const t = await createTestApp({ now: NOW });
  const bad = Array.from({ length: 600 }, (_, n) => `"=Ana ""${n}""",mal${n},no\n`).join('');
  const { id } = await importFile(t, 'clients', `${HEAD}${bad}${lines(1)}`);
  const { text, headers } = await t.call('GET', `${IMPORTS}${id}/errors/`);
  expect(headers['content-disposition']).toBe(
    `attachment; filename="errores_importacion_${id}_2026-11-21.csv"`,
  );
  const [head, ...rows]: string[][] = parse(text, { bom: true });
  expect(head).toEqual(['Fila', 'Campo', 'Error', 'Nombre', 'Email', 'Teléfono']);
  expect(rows).toHaveLength(1200);
  expect(rows.slice(-2)).toEqual([
    ['601', 'Email', 'El email no es válido', '\'=Ana "599"', 'mal599', 'no'],
    ['601', 'Teléfono Principal', expect.stringContaining('entre 9 y 15'), '\'=Ana "599"', 'mal599', 'no'],
  ]);
  const again = await importFile(t, 'clients', text);
  expect(again.uploaded.mapping).toMatchObject({ Fila: null, Campo: null, Error: null, Nombre: 'name' });
  expect(again.forecast.errors_total).toBeGreaterThan(0);
});

test('new licences get a mail only when asked for, and never a reminder of a past date (IMPORT-02, LIFE-08)', async () => {
  const t = await createTestApp({ now: NOW });
  await createClient(t, { email: 'rosa@example.com' });
  await createSoftware(t, { name: 'Caja' });
  const file = (key: string) =>
    `Clave,Email,Software,Categoría,Precio,Fecha de emisión\n${key},rosa@example.com,Caja,basic,10,01/02/2026\n`;
  const first = await checkedFile(t, file('AAAA-1'), 'licenses');
  await post(t, `${first}/run/`);
  await runImport(t, first);
  expect(await t.deliveredMail()).toEqual([]);
  const second = await checkedFile(t, file('AAAA-2'), 'licenses');
  await post(t, `${second}/run/`, { notify: true });
  await runImport(t, second);
  t.context.nudgeJobs('mail');
  expect((await t.deliveredMail()).map(({ to }) => to?.[0]?.address)).toEqual(['rosa@example.com']);
  // The sale counts on the day of issue; reminders count from the import.
  const terms = await t.db.selectFrom('license_terms').select(['created_at', 'starts']).execute();
  expect(terms.map(({ created_at }) => created_at)).toEqual(Array(2).fill('2026-02-01T06:00:00.000Z'));
  const licenses = await t.db.selectFrom('licenses').select(['created_at', 'issued_date']).execute();
  expect(licenses[0]).toEqual({ created_at: NOW, issued_date: '2026-02-01T06:00:00.000Z' });
});

test('a row that fails for an unknown reason is an error and does not stop the others (IMPORT-02)', async () => {
  const t = await createTestApp({ now: NOW });
  // From now on the database refuses a value that the program accepts.
  await sql`create unique index one_source on software (description) where description = 'única'`.execute(
    t.db,
  );
  await createSoftware(t, { description: 'única' });
  const file = 'Nombre,Versión,Descripción\nA,1,única\nB,1,otra\n';
  const { forecast, progress } = await importFile(t, 'software', file);
  expect(forecast).toMatchObject({ to_create: 1, rows_with_errors: 1 });
  expect(progress.result).toMatchObject({
    created: 1,
    errors: [{ row: 2, field: null, message: 'Error en el servidor' }],
  });
});

test('each call needs imports:run and the permission to write the records, and only its creator and auditors see an import (PEOPLE-01)', async () => {
  const t = await createTestApp({ now: NOW });
  const { id, mapping } = (await upload(t, 'clients', `${HEAD}${lines(1)}`)).body;
  const staff = (role: 'viewer' | 'operator') =>
    asSystem(t, async ({ tx, now }) => {
      const email = `${role}@example.com`;
      const person = { username: role, names: role, last_name: '', email, role, password_hash: 'x' };
      const { id: user } = await insertUser(tx, person, now);
      return (await openSession(tx, user, now, { ip: null, userAgent: null })).token;
    });
  const viewer = await staff('viewer');
  const operator = await staff('operator');
  const get = (path: string, token: string) => t.call('GET', `${IMPORTS}${path}`, { token });
  expect((await upload(t, 'clients', HEAD, viewer)).status).toBe(403);
  expect((await get(`${id}/`, viewer)).status).toBe(403);
  expect((await get(`${id}/`, operator)).status).toBe(404);
  expect((await get(`${id}/errors/`, operator)).status).toBe(404);
  expect((await post(t, `${id}/check/`, { mapping, mode: 'create' }, operator)).status).toBe(404);
  expect((await t.call('GET', `${IMPORTS}999/`)).status).toBe(404);
  const own = (await upload(t, 'clients', `${HEAD}${lines(1)}`, operator)).body.id;
  expect((await t.call('GET', `${IMPORTS}${own}/`)).status).toBe(200);
  // A key with one of the two needed permissions.
  const key = await t.call('POST', '/licenses/api/api-keys/', {
    body: { name: 'lectora', permissions: ['imports:run', 'software:write'] },
  });
  const token = key.body.key as string;
  expect((await upload(t, 'clients', HEAD, token)).status).toBe(403);
  expect((await upload(t, 'software', 'Nombre,Versión\nUno,1\n', token)).status).toBe(201);
});

test('a file of another type, or above 20 MB, is refused with that reason (IMPORT-01)', async () => {
  const t = await createTestApp({ now: NOW });
  const send = (type: string, payload: Buffer | string) =>
    t.call('POST', `${IMPORTS}?kind=clients`, { payload, headers: { 'content-type': type } });
  const other = await send('application/json', '{}');
  expect([other.status, other.body.message]).toEqual([415, IMPORT_MESSAGES.mediaType]);
  expect((await t.call('POST', `${IMPORTS}?kind=clients`)).status).toBe(415);
  const large = await send('text/csv', Buffer.alloc(20 * 1024 * 1024 + 1, 'a'));
  expect([large.status, large.body.message]).toEqual([413, expect.stringContaining('20 MB')]);
  expect((await upload(t, 'otros', HEAD)).body.errors).toHaveProperty('kind');
});

test('imports are deleted a week after their end (IMPORT-02)', async () => {
  const t = await createTestApp({ now: NOW });
  await importFile(t, 'clients', `${HEAD}${lines(3)}`);
  await upload(t, 'clients', `${HEAD}${lines(3)}`);
  const clean = async () => {
    await housekeepingJob.runStored(t.context, '{}', {
      log: quiet,
      signal: new AbortController().signal,
      tries: 1,
      isLastTry: false,
    });
    const rows = await t.db.selectFrom('import_chunks').select('import_id').execute();
    return rows.length;
  };
  t.clock.advance(6 * DAY_MS);
  expect(await clean()).toBe(2);
  t.clock.advance(2 * DAY_MS);
  expect(await clean()).toBe(0);
});

test('a row that the database refuses is skipped, and the others of its chunk are stored (IMPORT-02)', async () => {
  const t = await createTestApp({ now: NOW });
  // A database constraint that the program's rules do not contain.
  await sql`create unique index one_company on clients (company)`.execute(t.db);
  const rows = Array.from(
    { length: 30 },
    (_, n) => `Ana ${n},ana${n}@mx.mx,5512345678,${n === 4 || n === 9 ? 'Doble' : `Empresa ${n}`}\n`,
  );
  const id = await checkedFile(t, `Nombre,Email,Teléfono,Empresa\n${rows.join('')}`);
  expect((await progressOf(t, id)).check).toMatchObject({ to_create: 29, rows_with_errors: 1 });
  await post(t, `${id}/run/`);
  await runImport(t, id);
  const { result } = await progressOf(t, id);
  expect([result?.created, result?.errors.map(({ row, field }) => [row, field])]).toEqual([29, [[11, null]]]);
  expect(await eventsOf(t, 'client.created')).toHaveLength(29);
});

test('an import that blocked its process twice is set aside, and is not tried at the next start', async () => {
  const t = await createTestApp({ now: NOW });
  const id = await checkedFile(t, `${HEAD}${lines(300)}`);
  await post(t, `${id}/run/`);
  const froze = async () => expect(await claimJobs(t.db, 'import', 1, 0, t.context.now())).toHaveLength(1);
  await froze();
  // When a part was stored, earlier interrupted tries no longer count.
  let chunks = 0;
  const stop = new AbortController();
  const [row] = await t.db.selectFrom('jobs').select('id').where('kind', '=', 'import').execute();
  const run = importJob.runStored(t.context, JSON.stringify({ import: id }), {
    log: quiet,
    signal: stop.signal,
    tries: 1,
    isLastTry: false,
    progressed: async () => {
      chunks += 1;
      await storeProgress(t.db, row!.id);
      stop.abort();
    },
  });
  await expect(run).rejects.toThrow(/se detuvo/);
  expect(chunks).toBe(1);
  await froze();
  await froze();
  const runner = startJobs(t.context, quiet, [importJob]);
  await expect.poll(async () => (await progressOf(t, id)).state).toBe('failed');
  await runner.stop();
  expect(await progressOf(t, id)).toMatchObject({ done: 25, finished_at: NOW });
  const [finished] = await eventsOf(t, 'import.finished');
  expect(finished?.reason).toBe('Se interrumpió por un error');
});
