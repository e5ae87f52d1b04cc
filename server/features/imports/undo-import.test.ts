import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { quiet } from '../../../test/deliver-mail.ts';
import {
  activate,
  createClient,
  createLicense,
  createLicenseType,
  createSoftware,
} from '../../../test/factories.ts';
import {
  check,
  IMPORTS,
  importFile,
  progressOf,
  runImport,
  undoImport,
  upload,
} from '../../../test/import-file.ts';
import { claimJobs } from '../../jobs/jobs.queries.ts';
import { housekeepingJob } from '../system/housekeeping/housekeeping-job.ts';
import { importJob } from './import-job.ts';

/** An import can be undone for a day (INPUT-07). */

const NOW = '2026-11-21T18:00:00.000Z';
const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const HEAD = 'Nombre,Email,Teléfono,Empresa\n';
const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `Ana ${from + n},ana${from + n}@mx.mx,5512345678,Imprenta\n`).join(
    '',
  );

const undo = (t: TestApp, id: number, token?: string) =>
  t.call('POST', `${IMPORTS}${id}/undo/`, { body: {}, ...(token !== undefined && { token }) });
const clientsNow = (t: TestApp) => t.db.selectFrom('clients').selectAll().orderBy('id').execute();
const changesNow = (t: TestApp) => t.db.selectFrom('import_changes').selectAll().execute();
const eventsOf = (t: TestApp, type: 'client.deleted' | 'client.updated' | 'import.finished') =>
  t.db.selectFrom('events').selectAll().where('type', '=', type).orderBy('id').execute();
const LICENSE_HEAD = 'Clave,Email,Software,Categoría,Precio,Notas\n';

/** One licence of a file, imported. */
async function importedLicense(t: TestApp, { notify = false } = {}) {
  await createClient(t, { email: 'rosa@example.com' });
  await createSoftware(t, { name: 'Caja' });
  const file = `${LICENSE_HEAD}AAAA-1,rosa@example.com,Caja,basic,10,una\n`;
  const uploaded = (await upload(t, 'licenses', file)).body;
  await check(t, uploaded.id, 'create', uploaded.mapping);
  await t.call('POST', `${IMPORTS}${uploaded.id}/run/`, { body: { notify } });
  await runImport(t, uploaded.id);
  const license = await t.db.selectFrom('licenses').selectAll().executeTakeFirstOrThrow();
  return { id: uploaded.id, license };
}

test('what was created is deleted and what was changed is as before, with one event each (INPUT-07)', async () => {
  const t = await createTestApp({ now: NOW });
  await createClient(t, { email: 'ana0@mx.mx', name: 'Ana', company: 'Antes', notes: 'nota' });
  const before = await clientsNow(t);
  t.clock.advance(MINUTE_MS);
  const { id, progress } = await importFile(t, 'clients', `${HEAD}${lines(60)}`, 'upsert');
  expect(progress).toMatchObject({ result: { created: 59, updated: 1 }, undo_asked_at: null });
  expect(Date.parse(progress.undo_until!) - Date.parse(NOW)).toBe(24 * HOUR_MS + MINUTE_MS);
  t.clock.advance(MINUTE_MS);

  const asked = await undo(t, id);
  expect([asked.status, asked.body.state, asked.body.done]).toEqual([202, 'waiting', 0]);
  await runImport(t, id);

  const done = await progressOf(t, id);
  expect(done).toMatchObject({ state: 'undone', done: 60, undo_until: null });
  expect(done.result).toMatchObject({ created: 0, updated: 0, errors: [], rows_with_errors: 0 });
  const after = await clientsNow(t);
  expect(after.map(({ updated_at: _version, ...values }) => values)).toEqual(
    before.map(({ updated_at: _version, ...values }) => values),
  );
  expect(await eventsOf(t, 'client.deleted')).toHaveLength(59);
  const [, restored, ...more] = await eventsOf(t, 'client.updated');
  expect([JSON.parse(restored!.changes).company, more]).toEqual([{ before: 'Imprenta', after: 'Antes' }, []]);
  expect((await eventsOf(t, 'import.finished')).map(({ reason }) => reason)).toEqual([null, 'Se deshizo']);
  expect(await changesNow(t)).toEqual([]);
});

test('a repeated call and a second process change nothing more, and nothing else may be done with it (INPUT-07)', async () => {
  const t = await createTestApp({ now: NOW });
  const { id } = await importFile(t, 'clients', `${HEAD}${lines(60)}`);
  const both = await Promise.all([undo(t, id), undo(t, id)]);
  expect(both.map(({ status }) => status)).toEqual([202, 202]);
  expect((await t.call('POST', `${IMPORTS}${id}/cancel/`, { body: {} })).status).toBe(409);
  await Promise.all([runImport(t, id), runImport(t, id)]);
  expect(await clientsNow(t)).toEqual([]);
  expect(await eventsOf(t, 'client.deleted')).toHaveLength(60);
  const again = await undo(t, id);
  expect([again.status, again.body.state]).toEqual([202, 'undone']);
  for (const path of ['run/', 'check/', 'cancel/']) {
    const answer = await t.call('POST', `${IMPORTS}${id}/${path}`, { body: { mode: 'create' } });
    expect([path, answer.status]).toEqual([path, 409]);
  }
});

test('an undo that is killed after each part goes on where it was (INPUT-07)', async () => {
  const t = await createTestApp({ now: NOW });
  const { id } = await importFile(t, 'clients', `${HEAD}${lines(100)}`);
  await undo(t, id);
  const found: number[] = [];
  const stop = new AbortController();
  stop.abort();
  for (let kill = 0; kill < 3; kill += 1) {
    expect(await claimJobs(t.db, 'import', 1, 0, t.context.now())).toHaveLength(1);
    await runImport(t, id, stop.signal).catch((error: Error) => expect(error.message).toMatch('se detuvo'));
    const now = await progressOf(t, id);
    expect(now.state).toBe('running');
    found.push(now.done, (await clientsNow(t)).length);
  }
  expect(found).toEqual([25, 75, 50, 50, 75, 25]);
  await runImport(t, id);
  expect((await progressOf(t, id)).state).toBe('undone');
  expect(await eventsOf(t, 'client.deleted')).toHaveLength(100);
});

test('an undo that keeps failing can be asked for again (INPUT-07)', async () => {
  const t = await createTestApp({ now: NOW });
  const { id } = await importFile(t, 'clients', `${HEAD}${lines(60)}`);
  await undo(t, id);
  const last = { log: quiet, signal: AbortSignal.abort(), tries: 20, isLastTry: true };
  await expect(importJob.runStored(t.context, JSON.stringify({ import: id }), last)).rejects.toThrow();
  expect(await progressOf(t, id)).toMatchObject({
    state: 'failed',
    undo_asked_at: null,
    result: { created: 35 },
  });
  expect(await undoImport(t, id)).toMatchObject({ state: 'undone', result: { created: 0 } });
  expect(await clientsNow(t)).toEqual([]);
});

test('the rows that changed since are all looked at first, and the first hundred are named (INPUT-07)', async () => {
  const t = await createTestApp({ now: NOW });
  const { id } = await importFile(t, 'clients', `${HEAD}${lines(300)}`);
  t.clock.advance(MINUTE_MS);
  const twentieth = (await clientsNow(t))[19]!;
  await t.db
    .updateTable('clients')
    .set({ updated_at: t.context.now().toISOString() })
    .where('id', '>', twentieth.id)
    .execute();
  const answer = await undo(t, id);
  expect([answer.status, answer.body.code]).toEqual([409, 'not_undoable']);
  expect(answer.body.message).toBe('No se puede deshacer: 280 registros cambiaron o ya se usan');
  expect(answer.body.rows).toHaveLength(100);
  expect(answer.body.rows[0]).toEqual({
    row: 22,
    field: null,
    code: 'stale',
    message: 'Cambió después de la importación',
  });
  expect(answer.body.rows.map(({ row }: { row: number }) => row)).toEqual(
    Array.from({ length: 100 }, (_, n) => 22 + n),
  );
  expect((await progressOf(t, id)).state).toBe('done');
  expect(await clientsNow(t)).toHaveLength(300);
});

test('a row that changes between the look and its turn stays and is in errors (INPUT-07)', async () => {
  const t = await createTestApp({ now: NOW });
  const { id } = await importFile(t, 'clients', `${HEAD}${lines(60)}`);
  await undo(t, id);
  const [client] = await clientsNow(t);
  await t.call('PUT', `/licenses/api/clients/${client!.id}/`, { body: { name: 'Otra' } });
  await runImport(t, id);
  const done = await progressOf(t, id);
  expect(done).toMatchObject({ state: 'undone', result: { created: 1, rows_with_errors: 1 } });
  expect(done.result!.errors).toEqual([
    { row: 2, field: null, code: 'stale', message: 'Cambió después de la importación' },
  ]);
  expect((await clientsNow(t)).map(({ name }) => name)).toEqual(['Otra']);
});

test('a licence with a seat, or of which a mail left, is not taken back (INPUT-07)', async () => {
  const t = await createTestApp({ now: NOW });
  const { id, license } = await importedLicense(t, { notify: true });
  await activate(t, license.license_key, 'caja-1');
  const seated = await undo(t, id);
  expect(seated.body.rows).toEqual([
    { row: 2, field: null, code: 'in_use', message: 'Ya se usa en un equipo' },
  ]);
  await t.db.deleteFrom('installations').execute();
  await t.db.updateTable('licenses').set({ current_installations: 0 }).execute();
  t.context.nudgeJobs('mail');
  await t.deliveredMail();
  const mailed = await undo(t, id);
  expect(mailed.body.rows).toEqual([
    { row: 2, field: null, code: 'in_use', message: 'Ya se le envió un correo' },
  ]);
});

test.each(['clients', 'licenses'] as const)(
  'of %s, a record about which somebody wrote a note is not taken back (INPUT-07, DESK-02)',
  async (kind) => {
    const t = await createTestApp({ now: NOW });
    const made =
      kind === 'clients'
        ? {
            id: (await importFile(t, 'clients', `${HEAD}${lines(1)}`)).id,
            on: { client: (await clientsNow(t))[0]!.id },
          }
        : await importedLicense(t).then(({ id, license }) => ({ id, on: { license: license.id } }));
    const { body: note } = await t.call('POST', '/licenses/api/notes/', {
      body: { text: 'Ya lo llamé', ...made.on },
    });
    const answer = await undo(t, made.id);
    expect([answer.status, answer.body.rows]).toEqual([
      409,
      [
        {
          row: 2,
          field: null,
          code: 'in_use',
          message: 'Alguien escribió una nota después de la importación',
        },
      ],
    ]);
    await t.call('DELETE', `/licenses/api/notes/${note.id}/`);
    expect((await undoImport(t, made.id)).state).toBe('undone');
  },
);

test('a mail that waits is not sent after an undo (INPUT-07)', async () => {
  const t = await createTestApp({ now: NOW });
  const { id } = await importedLicense(t, { notify: true });
  expect((await undoImport(t, id)).state).toBe('undone');
  t.context.nudgeJobs('mail');
  expect(await t.deliveredMail()).toEqual([]);
  expect(await t.db.selectFrom('licenses').selectAll().execute()).toEqual([]);
});

test('a licence whose sale is paid is not taken back (INPUT-07, INPUT-18)', async () => {
  const t = await createTestApp({ now: NOW });
  const { id, license } = await importedLicense(t);
  const asked = await t.call('POST', '/licenses/api/payment-requests/', {
    body: { lines: [{ license: license.id, kind: 'renewal', days: 30, price: 10 }], notify: false },
  });
  expect(asked.status).toBe(201);
  // An open request alone does not prevent it.
  await t.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('payments')
      .values({
        provider: 'manual',
        source: null,
        provider_id: null,
        request_id: asked.body.id,
        client_id: license.client_id,
        client_name: 'Rosa',
        state: 'approved',
        amount_cents: 1000,
        currency: 'MXN',
        method: 'cash',
        is_test: false,
        dispute: null,
        created_at: NOW,
        paid_at: NOW,
        updated_at: NOW,
      })
      .execute();
  });
  expect((await undo(t, id)).body.rows).toEqual([
    { row: 2, field: null, code: 'has_payments', message: 'Ya se pagó' },
  ]);
});

test('an earlier value that another record has taken prevents an undo, one that a row of the file took does not (INPUT-07)', async () => {
  const t = await createTestApp({ now: NOW });
  await createClient(t, { email: 'a@mx.mx', external_id: 'UNO' });
  const file =
    'Nombre,Email,Teléfono,Identificador externo\nA,a@mx.mx,5512345678,DOS\nB,b@mx.mx,5512345678,UNO\n';
  const first = await importFile(t, 'clients', file, 'upsert');
  expect(first.progress.result).toMatchObject({ created: 1, updated: 1 });
  expect((await undoImport(t, first.id)).result!.errors).toEqual([]);
  expect((await clientsNow(t)).map((client) => client.external_id)).toEqual(['UNO']);

  const again = await importFile(t, 'clients', file.split('\n').slice(0, 2).join('\n'), 'upsert');
  await createClient(t, { email: 'c@mx.mx', external_id: 'UNO' });
  expect((await undo(t, again.id)).body.rows).toEqual([
    { row: 2, field: 'external_id', code: 'taken', message: 'Otro registro ya usa el valor anterior' },
  ]);
});

test('a record that somebody deleted is not missed if the import created it, and prevents an undo if it was changed (INPUT-07)', async () => {
  const t = await createTestApp({ now: NOW });
  const old = await createClient(t, { email: 'ana0@mx.mx' });
  const { id } = await importFile(t, 'clients', `${HEAD}${lines(3)}`, 'upsert');
  const made = (await clientsNow(t)).at(-1)!;
  await t.call('DELETE', `/licenses/api/clients/${made.id}/`);
  await t.call('DELETE', `/licenses/api/clients/${old.id}/`);
  expect((await undo(t, id)).body.rows).toMatchObject([{ row: 2, code: 'not_found' }]);
  const other = await importFile(t, 'clients', `${HEAD}${lines(3, 10)}`);
  await t.call('DELETE', `/licenses/api/clients/${(await clientsNow(t)).at(-1)!.id}/`);
  expect(await undoImport(t, other.id)).toMatchObject({ state: 'undone', result: { errors: [] } });
});

test('a client or a software that other licences use is not deleted (INPUT-07)', async () => {
  const t = await createTestApp({ now: NOW });
  const clients = await importFile(t, 'clients', `${HEAD}${lines(1)}`);
  const software = await importFile(t, 'software', 'Nombre,Versión\nCaja,1\n');
  const [client] = await clientsNow(t);
  const made = await t.db.selectFrom('software').select('id').executeTakeFirstOrThrow();
  await createLicense(t, { client: client!.id, software: made.id });
  for (const { id } of [clients, software]) {
    expect((await undo(t, id)).body.rows).toEqual([
      { row: 2, field: null, code: 'in_use', message: 'Otras licencias ya lo usan' },
    ]);
  }
});

test('a changed licence gets its values, its end and its term back, and keeps its seats (INPUT-07)', async () => {
  const t = await createTestApp({ now: NOW });
  const type = await createLicenseType(t, { name: 'Anual' });
  const license = await createLicense(t, {
    license_type_config: type.id,
    expiry_days: 30,
    price: 100,
    notes: 'Una',
    seat_mode: 'floating',
    lease_minutes: 60,
    features: { nomina: true },
  });
  await activate(t, license.license_key, 'caja-1');
  const all = () =>
    Promise.all([
      t.db.selectFrom('licenses').selectAll().execute(),
      t.db.selectFrom('license_terms').selectAll().execute(),
    ]);
  const without = ([[stored], terms]: Awaited<ReturnType<typeof all>>) => [
    { ...stored, updated_at: '' },
    terms,
  ];
  const before = without(await all());
  t.clock.advance(MINUTE_MS);
  const file = `Clave,Precio,Moneda,Vence,Estado,Notas,Tipo de licencia,Modalidad de lugares,Identificador externo\n${license.license_key},250,USD,31/12/2027,Suspendida,-,-,Fijos,X-1\n`;
  const { id, progress } = await importFile(t, 'licenses', file, 'update');
  expect(progress.result).toMatchObject({ updated: 1, errors: [] });
  expect(without(await all())).not.toEqual(before);
  expect((await undoImport(t, id)).result).toMatchObject({ updated: 0, errors: [] });
  expect(without(await all())).toEqual(before);
});

test('it needs the permission to delete what it created, and to write what it changed (INPUT-07, PEOPLE-01)', async () => {
  const t = await createTestApp({ now: NOW });
  const keyWith = async (permissions: string[]) =>
    (
      await t.call('POST', '/licenses/api/api-keys/', {
        body: { name: `k${permissions.length}`, permissions },
      })
    ).body.key as string;
  const base = ['imports:run', 'audit:read'];
  const writer = await keyWith([...base, 'clients:write']);
  const remover = await keyWith([...base, 'clients:write', 'clients:delete']);
  const { id } = await importFile(t, 'clients', `${HEAD}${lines(2)}`);
  expect((await undo(t, id, writer)).status).toBe(403);
  expect((await undo(t, id, remover)).status).toBe(202);
  await runImport(t, id);
  await createClient(t, { email: 'ana9@mx.mx' });
  const changed = await importFile(t, 'clients', `${HEAD}${lines(1, 9)}`, 'update');
  expect((await undo(t, changed.id, await keyWith(base))).status).toBe(403);
  expect((await undo(t, changed.id, writer)).status).toBe(202);
  expect((await t.call('POST', `${IMPORTS}999/undo/`, { body: {} })).status).toBe(404);
});

test('it is possible for a day after the end, then the old values are deleted (INPUT-07)', async () => {
  const t = await createTestApp({ now: NOW });
  const early = (await upload(t, 'clients', `${HEAD}${lines(1)}`)).body.id;
  expect((await undo(t, early)).body.code).toBe('conflict');
  await createClient(t, { email: 'ana0@mx.mx' });
  const { id } = await importFile(t, 'clients', `${HEAD}${lines(3)}`, 'upsert');
  const clean = () =>
    housekeepingJob.runStored(t.context, '{}', {
      log: quiet,
      signal: new AbortController().signal,
      tries: 1,
      isLastTry: false,
    });
  const key = await t.call('POST', '/licenses/api/api-keys/', {
    body: { name: 'k', permissions: ['imports:run', 'audit:read', 'clients:delete', 'clients:write'] },
  });
  t.clock.advance(23 * HOUR_MS);
  await clean();
  expect(await changesNow(t)).toHaveLength(3);
  t.clock.advance(2 * HOUR_MS);
  await clean();
  expect(await changesNow(t)).toEqual([]);
  const late = await undo(t, id, key.body.key);
  expect([late.status, late.body.code, late.body.rows]).toEqual([409, 'not_undoable', []]);
  expect(late.body.message).toContain('24 horas');
});

test('an import that was stopped can be undone too (INPUT-07)', async () => {
  const t = await createTestApp({ now: NOW });
  const uploaded = (await upload(t, 'clients', `${HEAD}${lines(60)}`)).body;
  await check(t, uploaded.id, 'create', uploaded.mapping);
  await t.call('POST', `${IMPORTS}${uploaded.id}/run/`, { body: {} });
  await runImport(t, uploaded.id, AbortSignal.abort()).catch(() => undefined);
  await t.call('POST', `${IMPORTS}${uploaded.id}/cancel/`, { body: {} });
  expect(await clientsNow(t)).toHaveLength(25);
  expect((await undoImport(t, uploaded.id)).state).toBe('undone');
  expect(await clientsNow(t)).toEqual([]);
});

test('erasing a client also erases the values that an import would give back (INPUT-07, PEOPLE-06)', async () => {
  const t = await createTestApp({ now: NOW });
  const person = await createClient(t, {
    email: 'zenaida@mx.mx',
    name: 'Zenaida Quetzalli',
    company: 'Antes',
  });
  await createClient(t, { email: 'ana0@mx.mx', notes: 'La presentó Zenaida Quetzalli' });
  const file =
    'Nombre,Email,Teléfono,Notas,Empresa\nZ,zenaida@mx.mx,5512345678,-,Después\nAna,ana0@mx.mx,5512345678,otra,-\n';
  const { id, progress } = await importFile(t, 'clients', file, 'update');
  expect(progress.result).toMatchObject({ updated: 2 });
  const reason = 'Lo pidió';
  const erased = await t.call('POST', `/licenses/api/clients/${person.id}/erase/`, { body: { reason } });
  expect(erased.status).toBe(200);
  expect(JSON.stringify(await changesNow(t))).not.toMatch(/Zenaida|zenaida|Antes/);
  expect((await undo(t, id)).body.rows).toMatchObject([
    { row: 2, code: 'stale' },
    { row: 3, code: 'stale' },
  ]);
});
