import { expect } from 'vitest';
import { hashOfTyped } from '../../server/features/programs/checks/collect-checks.ts';
import type { TestApp } from '../app.ts';
import { activate, createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';
import { Browser, setSettings } from '../portal.ts';

/** A key that no licence has. */
const UNKNOWN_KEY = 'NO-HAY-TAL-CLAVE';

/** The values of the path parameters for the records that {@link connectRecords} makes, by the path up to them. */
export type Places = Record<string, string | number>;

/**
 * Makes one record of each kind that answers show, connected with one client, licence and user.
 * @returns their values in paths, and the cookie of the client's session in the portal
 */
export async function connectRecords(t: TestApp): Promise<{ places: Places; cookie: string }> {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await t.call(method, `/licenses/api/${path}`, { body });
    expect([path, answer.status < 300 ? 'done' : answer.text]).toEqual([path, 'done']);
    return answer.body;
  };
  await setSettings(t, { portal_enabled: true });
  const webhook = await call('POST', 'webhooks/', { url: 'https://example.com/hook', types: ['*'] });
  const client = await createClient(t, { notes: 'Una nota. '.repeat(10) });
  const software = await createSoftware(t, { description: 'Un programa' });
  const type = await createLicenseType(t, { description: 'Un tipo' });
  await call('PUT', `software/${software.id}/`, { is_public: true });
  await call('PUT', `license-types/${type.id}/`, { is_public: true });
  const license = await createLicense(t, {
    client: client.id,
    software: software.id,
    license_type_config: type.id,
    max_installations: 100_000,
    notes: 'Una nota. '.repeat(10),
    meters: { hojas: { limit: 1000, period: 'month', overage: 'refuse' } },
  });
  await activate(t, license.license_key, 'caja-1');
  const [machine] = (await call('GET', `licenses/${license.id}/`)).installations;
  const { code } = await call('POST', `licenses/${license.id}/certificate/`);
  const asked = await call('POST', 'payment-requests/', {
    lines: [{ license: license.id, kind: 'renewal' }],
    notify: false,
  });
  await call('POST', 'api-keys/', { name: 'Tienda', permissions: ['clients:read'], expires_in_days: 30 });
  const note = await call('POST', 'notes/', { text: 'Una nota. '.repeat(100), license: license.id });
  await call('POST', 'views/', { screen: 'clients', name: 'Vista', query: 'q=a', shared: true });
  const upload = await t.call('POST', '/licenses/api/imports/?kind=clients', {
    payload: 'nombre,correo,telefono\nUno,no-es-correo,5512345678',
    headers: { 'content-type': 'text/csv' },
  });
  await call('POST', `imports/${upload.body.id}/check/`, { mode: 'create' });
  const browser = await new Browser(t).signIn(client.email);
  // The newest event, mail and message are about the licence, and these are copied.
  await call('POST', `licenses/${license.id}/extend/`, { days: 5, reason: 'Prórroga' });
  const { bulk, delivery } = await insertOthers(t, {
    license: license.id,
    software: software.id,
    request: asked.id,
  });
  const { id: mail } = await t.db.selectFrom('outbox').select('id').executeTakeFirstOrThrow();
  const places = {
    'users/{id}': 1,
    'software/{id}': software.id,
    'license-types/{id}': type.id,
    'installations/{id}': machine.id,
    'licenses/{id}': license.id,
    'license/{id}': license.id,
    'clients/{id}': client.id,
    'notes/{id}': note.id,
    'payment-requests/{id}': asked.id,
    'pay/{code}': asked.url.split('/').at(-1),
    'verify/{code}': code,
    'jobs/{id}': bulk,
    'imports/{id}': upload.body.id,
    'rows/{row}': 2,
    'mail-templates/{kind}': 'license_issued',
    'mails/{id}': mail,
    'webhooks/{id}': webhook.id,
    'deliveries/{delivery}': delivery,
  };
  return { places, cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') };
}

/** Inserts the rows that only programs, providers and jobs make. */
async function insertOthers(
  { db, context }: TestApp,
  { license, software, request }: { license: number; software: number; request: number },
): Promise<{ bulk: number; delivery: number }> {
  const at = context.now().toISOString();
  const day = at.slice(0, 10);
  const checked = { call: 'validate', machine_id: 'caja-1', ip: '192.0.2.1', at, count: 1 } as const;
  await db
    .insertInto('license_checks')
    .values({ ...checked, license_id: license, reason: '', day, app_version: '', last_day: day })
    .execute();
  await db
    .insertInto('unknown_key_checks')
    .values({ ...checked, key_hash: hashOfTyped(context, UNKNOWN_KEY), typed: UNKNOWN_KEY })
    .execute();
  await db
    .insertInto('check_days')
    .values({ day, software_id: software, reason: 'expired', count: 1 })
    .execute();
  await db
    .insertInto('usage_counts')
    .values({
      license_id: license,
      code: 'hojas',
      period: day,
      used: 1,
      base: 1,
      reached_at: null,
      resets_at: null,
    })
    .execute();
  await db
    .insertInto('backups')
    .values({ name: 'copia', at, size: 1, tried_at: null, error: null })
    .execute();
  const key = await db
    .selectFrom('signing_keys')
    .selectAll()
    .where('state', '=', 'next')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('signing_keys')
    .values({ ...key, kid: `zz-${key.kid}`, state: 'retired', retired_at: at })
    .execute();
  const { client_id, client_name } = await db
    .selectFrom('payment_requests')
    .selectAll()
    .where('id', '=', request)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('payments')
    .values({
      ...{
        provider: 'manual',
        source: 'pago',
        provider_id: null,
        method: null,
        reference: '',
        dispute: null,
      },
      ...{ request_id: request, client_id, client_name, state: 'approved', is_test: false },
      ...{
        amount_cents: 100,
        refunded_cents: 0,
        currency: 'MXN',
        created_at: at,
        paid_at: at,
        updated_at: at,
      },
    })
    .execute();
  const delivery = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const attempt = { delivery_id: delivery.id, at, duration_ms: 5, status: 500, problem: null, answer: 'No' };
  await db
    .insertInto('webhook_attempts')
    .values({ ...attempt, by_hand: true })
    .execute();
  await db
    .insertInto('jobs')
    .values({
      ...{ kind: 'mail', name: null, payload: '{}', run_at: at, created_at: at, claimed_until: null },
      ...{ tries: 1, last_error: 'No', failed_at: at },
    })
    .execute();
  const { id: bulk } = await db
    .insertInto('bulk_jobs')
    .values({
      ...{ list: 'clients', action: 'delete', fields: '{}', state: 'done', total: 1, done: 1, succeeded: 1 },
      ...{ actor_kind: 'user', actor_id: 1, actor_name: 'Alguien', ip: null, request_id: null, failed: '[]' },
      ...{ created_at: at, finished_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { bulk, delivery: delivery.id };
}
