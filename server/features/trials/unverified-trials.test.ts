import { describe, expect, test } from 'vitest';
import { TRIAL_MAILS_OF_DAY } from '../../../contract/programs/trial-terms.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { Browser, makeCodes, setSettings } from '../../../test/portal.ts';
import { runJob } from '../../../test/run-job.ts';
import { reminderJob } from '../reminders/reminder-job.ts';

/** A trial whose email address nobody verified: what it tells, and what it mails (docs/decisions/114). */

const NOON = '2026-11-26T18:00:00.000Z';
const API = '/licenses/api';
const LURE = 'Gane un premio en http://malo.example';

async function offering() {
  const t = await createTestApp({ now: NOON, env: { TRUST_PROXY: '127.0.0.1' } });
  await setSettings(t, { portal_enabled: true });
  const type = await createLicenseType(t, { base_price: 100, validity_days: 15, max_installations: 2 });
  const software = await createSoftware(t, {
    ...{ name: 'Caja', trial_type: type.id, trial_email: 'optional', trial_daily_limit: 10_000 },
  });
  const call = (path: string, body: object, ip = '203.0.113.5') =>
    t.call('POST', `${API}/${path}`, { token: null, headers: { 'x-forwarded-for': ip }, body });
  const start = (machine_id: string, more: object = {}, ip?: string) =>
    call('trial/', { software: software.code, machine_id, ...more }, ip);
  /** What a program is told about the licence of a trial. */
  const answered = async (license_key: string, machine_id: string) => {
    const asked = { license_key, machine_id };
    const validated = await call('license/validate/', asked);
    const activated = await call('installations/', asked);
    const beat = await call('installation/heartbeat/', asked);
    const ticket = await call('portal/ticket/', { ...asked, nonce: 'a'.repeat(20) });
    const usage = await call('usage/', {
      ...asked,
      records: [{ code: 'nada', amount: 1, request_id: 'abcdefgh' }],
    });
    return [validated, activated, beat, ticket, usage].map(({ status, body }) => ({ status, body }));
  };
  const names = async (license_key: string, machine_id: string) => {
    const [validated, activated, , ticket] = await answered(license_key, machine_id);
    return [validated!.body.license.client_name, activated!.body.client_name, ticket!.status];
  };
  const licenseOf = async (key: string) =>
    (await t.call('GET', `${API}/licenses/?license_key=${key}`)).body.results[0];
  return { t, type, start, answered, names, licenseOf };
}

/** The answers without what differs between any two licences. */
const alike = (answers: unknown, { key, machine }: { key: string; machine: string }) =>
  JSON.parse(
    JSON.stringify(answers)
      .replaceAll(key, 'KEY')
      .replaceAll(machine, 'MACHINE')
      .replace(/"(id|license|token)":("[^"]*"|\d+)/g, '"$1":0'),
  );

const outboxOf = (t: TestApp) =>
  t.db
    .selectFrom('outbox')
    .select(['id', 'kind', 'to_name', 'to_address', 'subject', 'body_text', 'body_html', 'status'])
    .select(['headers', 'last_error', 'license_id'])
    .orderBy('id')
    .execute();

const HIDDEN = ['', '', 404];

describe('a trial whose address is not verified', { tags: ['SELL-04', 'PORTAL-06'] }, () => {
  test('answers alike whether or not a client has the address', async () => {
    const { t, start, answered } = await offering();
    await createClient(t, { email: 'ana@example.com' });
    const answers = [];
    for (const [machine, email] of [
      ['caja-0', undefined],
      ['caja-1', 'nueva@example.com'],
      ['caja-2', 'ANA@example.com'],
    ] as const) {
      const started = performance.now();
      const begun = await start(machine, { email, name: 'Ana', nonce: 'b'.repeat(20) });
      const took = performance.now() - started;
      // A new client and its mail take some milliseconds.
      if (email !== undefined) expect(took).toBeGreaterThan(140);
      const key = begun.body.license_key;
      const again = await start(machine, { email, name: 'Ana' });
      const all = [begun, again].map(({ status, body }) => ({ status, body }));
      answers.push(alike([...all, ...(await answered(key, machine))], { key, machine }));
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(answers[0].map(({ status }: { status: number }) => status)).toEqual([
      201, 200, 200, 200, 200, 404, 200,
    ]);
    expect(answers[0][2].body.license.client_name).toBe('');
    expect(answers[0][3].body.client_name).toBe('');
  });

  test('shows its client once that client signed in at the portal', async () => {
    const { t, start, names } = await offering();
    const { body } = await start('caja-1', { email: 'ana@example.com', name: 'Ana' });
    expect(await names(body.license_key, 'caja-1')).toEqual(HIDDEN);
    await new Browser(t).signIn('ana@example.com');
    expect(await names(body.license_key, 'caja-1')).toEqual(['Ana', 'Ana', 200]);
  });

  test('shows its client once staff saved the address, and not after another change', async () => {
    const { t, start, names, licenseOf } = await offering();
    const { body } = await start('caja-1', { email: 'ana@example.com', name: 'Ana' });
    const { client } = await licenseOf(body.license_key);
    const url = `${API}/clients/${client.id}/`;
    expect((await t.call('GET', url)).body.email_verified).toBe(false);
    await t.call('PUT', url, { body: { notes: 'Llamó' } });
    expect(await names(body.license_key, 'caja-1')).toEqual(HIDDEN);
    const saved = await t.call('PUT', url, { body: { email: 'ana@example.com' } });
    expect(saved.body.email_verified).toBe(true);
    expect(await names(body.license_key, 'caja-1')).toEqual(['Ana', 'Ana', 200]);
    const [event] = (await t.call('GET', `${API}/events/?client=${client.id}`)).body.results;
    expect(event).toMatchObject({
      ...{ type: 'client.updated', changes: { email_verified: { before: false, after: true } } },
    });
  });

  test("shows its client once staff transferred it, and not to 'Pruebas'", async () => {
    const { t, start, names, licenseOf } = await offering();
    await createClient(t, { email: 'ana@example.com' });
    const taken = await start('caja-1', { email: 'ana@example.com' });
    const fresh = await start('caja-2', { email: 'nueva@example.com', name: 'Nueva' });
    const other = await start('caja-3', { email: 'otra@example.com', name: 'Otra' });
    const [one, two, three] = await Promise.all(
      [taken, fresh, other].map(({ body }) => licenseOf(body.license_key)),
    );
    const transfer = (license: number, client: number) =>
      t.call('POST', `${API}/licenses/${license}/transfer/`, { body: { client, notify: false } });
    expect((await transfer(three.id, one.client.id)).status).toBe(200);
    expect(await names(other.body.license_key, 'caja-3')).toEqual(HIDDEN);
    expect((await transfer(one.id, two.client.id)).status).toBe(200);
    expect(await names(taken.body.license_key, 'caja-1')).toEqual(['Nueva', 'Nueva', 200]);
    // Not even a save of its address makes a client of 'Pruebas'.
    const system = one.client.id;
    await t.call('PUT', `${API}/clients/${system}/`, { body: { email: 'pruebas@trial.invalid' } });
    expect(await names(other.body.license_key, 'caja-3')).toEqual(HIDDEN);
  });

  test('shows nothing after an address that is given later, and a licence that was bought shows its client', async () => {
    const { t, start, names, licenseOf } = await offering();
    const { body } = await start('caja-1');
    await start('caja-1', { email: 'ana@example.com', name: 'Ana' });
    const license = await licenseOf(body.license_key);
    expect(license.client.name).toBe('Ana');
    expect(await names(body.license_key, 'caja-1')).toEqual(HIDDEN);
    const year = await createLicenseType(t, { name: 'Anual', base_price: 1200 });
    const renewed = await t.call('POST', `${API}/licenses/${license.id}/renew/`, {
      body: { license_type_config: year.id, license_type: 'premium' },
    });
    expect(renewed.status).toBe(200);
    expect(await names(body.license_key, 'caja-1')).toEqual(['Ana', 'Ana', 200]);
  });
});

describe('mails to an address that is not verified', { tags: ['SELL-04', 'LIFE-08'] }, () => {
  test('contain no text of whoever started the trial, until the address is verified', async () => {
    const { t, start, licenseOf } = await offering();
    await runJob(t.context, reminderJob);
    const { body } = await start('caja-1', { email: 'ana@example.com', name: LURE, machine_name: LURE });
    const { id, client } = await licenseOf(body.license_key);
    const late = await start('caja-2', { machine_name: LURE });
    await start('caja-2', { email: 'luis@example.com', name: LURE });
    expect(late.status).toBe(201);
    await new Browser(t).ask('ana@example.com');
    await makeCodes(t);
    await t.call('POST', `${API}/licenses/${id}/resend_email/`);
    await t.call('POST', `${API}/clients/${client.id}/portal/invite/`);
    const [mail] = await outboxOf(t);
    await t.call('POST', `${API}/mails/${mail!.id}/resend/`);
    await t.call('POST', `${API}/licenses/${id}/replace_key/`, { body: { reason: 'x', notify: true } });
    t.clock.set('2026-12-10T18:00:00.000Z');
    t.token = await signInAs(t, 'admin', 'admin123');
    await runJob(t.context, reminderJob);
    const mails = await outboxOf(t);
    expect(new Set(mails.map(({ kind }) => kind))).toEqual(
      new Set(['license_issued', 'portal_link', 'portal_invitation', 'key_replaced', 'license_reminder']),
    );
    for (const one of mails) expect(JSON.stringify(one)).not.toMatch(/malo|premio/);
    expect(mails.find(({ kind }) => kind === 'license_reminder')!.body_text).toContain('Hola, cliente:');
    const delivered = await t.deliveredMail();
    expect(delivered.length).toBeGreaterThan(4);
    for (const one of delivered) expect(JSON.stringify(one)).not.toMatch(/malo|premio/);

    await t.call('PUT', `${API}/clients/${client.id}/`, { body: { name: 'Ana', email: 'ana@example.com' } });
    await t.call('POST', `${API}/licenses/${id}/resend_email/`);
    const last = (await outboxOf(t)).at(-1)!;
    expect(last.to_name).toBe('Ana');
    expect(last.body_text).toContain('Hola, Ana:');
  });

  test('have a daily budget: beyond it trials start all the same, staff see what was not sent, and other mails are', async () => {
    const { t, start } = await offering();
    const started: Awaited<ReturnType<typeof start>>[] = [];
    // So few at once that none waits ten seconds for its turn, which is refused.
    for (let from = 0; from < TRIAL_MAILS_OF_DAY + 2; from += 10) {
      const upTo = Math.min(from + 10, TRIAL_MAILS_OF_DAY + 2);
      const some = Array.from({ length: upTo - from }, (_, index) => from + index).map((number) =>
        start(
          `caja-${number}`,
          { email: `persona-${number}@example.com` },
          `198.51.${100 + Math.floor(number / 200)}.${number % 200}`,
        ),
      );
      started.push(...(await Promise.all(some)));
    }
    expect(new Set(started.map(({ status }) => status))).toEqual(new Set([201]));
    const mails = await outboxOf(t);
    const unsent = mails.filter(({ status }) => status === 'failed');
    expect(mails).toHaveLength(TRIAL_MAILS_OF_DAY + 2);
    expect(unsent).toHaveLength(2);
    const license = (await t.call('GET', `${API}/licenses/${unsent[0]!.license_id}/`)).body;
    expect(license.email_status).toBe('failed');
    const listed = await t.call('GET', `${API}/mails/?license=${license.id}`);
    expect(listed.body.results[0]).toMatchObject({ status: 'failed', last_error: expect.any(String) });
    const events = await t.call('GET', `${API}/events/?license=${license.id}`);
    expect(events.body.results.map(({ type }: { type: string }) => type)).toContain('mail.failed');

    const paid = await createLicense(t);
    await t.call('POST', `${API}/mails/${listed.body.results[0].id}/resend/`);
    const after = (await outboxOf(t)).slice(mails.length);
    expect(after.map(({ license_id, status }) => [license_id, status])).toEqual([
      [paid.id, 'queued'],
      [license.id, 'queued'],
    ]);
    t.clock.advance(24 * 60 * 60_000 + 1000);
    await start('mañana', { email: 'tarde@example.com' }, '192.0.2.1');
    expect((await outboxOf(t)).at(-1)).toMatchObject({ to_address: 'tarde@example.com', status: 'queued' });
  });
});
