import { bulkJob } from '../../server/features/bulk/bulk-job.ts';
import { importJob } from '../../server/features/imports/import-job.ts';
import type { TestApp } from '../app.ts';
import { deliverDue } from '../deliver-mail.ts';
import { runJob } from '../run-job.ts';

/** Calls that change records: those of staff and of programs with an existing key, and the jobs that follow. */

type Body = Record<string, unknown>;
/** The fields of answers that the calls below read. */
type Answered = { id: number; license_key: string; count: number; job: number };
type Send = (line: string, payload?: Body | string, headers?: Record<string, string>) => Promise<Answered>;

const API = '/licenses/api';
const MACHINE = 'maquina-de-prueba';
const IMPORTED = [
  'nombre,correo,telefono',
  'Uno,uno@example.com,5512345678',
  'Dos,dos@example.com,5512345679',
];

/**
 * Makes all calls in the life of records of each kind, once.
 * @param during called with the name of the current step
 * @returns the calls that were refused
 */
export async function changeAll(t: TestApp, during: (what: string | null) => void): Promise<string[]> {
  const failed: string[] = [];
  const send: Send = async (line, payload, headers = {}) => {
    const [method, path] = line.split(' ') as ['POST', string];
    during(line.replace(/\d+/g, '{id}'));
    const answer = await t.app.inject({
      method,
      url: API + path,
      headers: { authorization: `Bearer ${t.token}`, ...headers },
      ...(payload !== undefined && { payload }),
    });
    if (answer.statusCode >= 300) failed.push(`${answer.statusCode} ${line} ${answer.body}`);
    const isJson = String(answer.headers['content-type']).includes('json');
    return (isJson ? answer.json() : {}) as Answered;
  };
  const client = await send('POST /clients/', {
    name: 'Cliente',
    email: 'plan@example.com',
    phone: '5512345678',
  });
  const other = await send('POST /clients/', {
    name: 'Otro',
    email: 'otro@example.com',
    phone: '5512345679',
  });
  const software = await send('POST /software/', { name: 'Programa', version: '9.0' });
  const type = await send('POST /license-types/', {
    name: 'Tipo',
    base_price: 100,
    max_installations: 3,
    validity_days: 365,
  });
  const license = await send('POST /licenses/', {
    client: client.id,
    software: software.id,
    license_type_config: type.id,
    price: 100,
  });
  await programCalls(send, license.license_key);
  await licenseCalls(send, license.id, other.id);
  await send(`PUT /clients/${client.id}/`, { name: 'Cliente nuevo' });
  await send(`PUT /software/${software.id}/`, { version: '9.1' });
  await send(`PUT /license-types/${type.id}/`, { base_price: 120 });
  await send(`PATCH /license-types/${type.id}/toggle-status/`);

  for (const [kind, action] of [
    ['licenses', { action: 'suspend' }],
    ['licenses', { action: 'reinstate' }],
    ['licenses', { action: 'renew' }],
    ['clients', { action: 'set_status', status: 'inactive' }],
    ['software', { action: 'set_status', is_active: true }],
  ] as const) {
    const id = { licenses: license.id, clients: client.id, software: software.id }[kind];
    await send(`POST /${kind}/bulk_action/`, { ...action, ids: [id] });
  }
  await bulkByFilter(t, send, during);
  await importClients(t, send, during);
  during('job mail');
  await deliverDue(t);
  await removeAll(send, license.id, { client: client.id, software: software.id, type: type.id });
  during(null);
  return failed;
}

async function programCalls(send: Send, license_key: string) {
  const body = { license_key, machine_id: MACHINE };
  await send('POST /license/validate/', body);
  await send('POST /installations/', { ...body, app_version: '1.0' });
  await send('POST /license/validate/', body);
  await send('POST /installations/', body);
  await send('POST /installation/heartbeat/', body);
  await send('POST /installations/', { ...body, machine_id: `${MACHINE}-2` });
}

async function licenseCalls(send: Send, id: number, otherClient: number) {
  await send(`PUT /licenses/${id}/`, { price: 90, tags: ['VIP', 'tag 7'] });
  await send(`POST /licenses/${id}/renew/`, {});
  await send(`POST /licenses/${id}/undo_renewal/`);
  await send(`POST /licenses/${id}/extend/`, { days: 5, reason: 'Prórroga' });
  await send(`POST /licenses/${id}/suspend/`, { reason: 'Sin pago' });
  await send(`POST /licenses/${id}/reinstate/`, {});
  await send(`POST /licenses/${id}/replace_key/`, { reason: 'Se publicó' });
  const note = await send('POST /notes/', { text: 'Llamar', license: id });
  await send(`PATCH /notes/${note.id}/`, { pinned: true });
  await send(`POST /licenses/${id}/transfer/`, { client: otherClient, reason: 'Venta' });
  await send(`DELETE /notes/${note.id}/`);
  await send(`POST /licenses/${id}/resend_email/`);
  await send(`POST /licenses/${id}/file/`, { machine_id: MACHINE });
}

async function bulkByFilter(t: TestApp, send: Send, during: (what: string) => void) {
  const { count } = await send('GET /licenses/?status=trial&page=1');
  const { job } = await send('POST /licenses/bulk_action/', {
    action: 'suspend',
    filters: { status: 'trial' },
    expected_count: count,
  });
  during('job bulk');
  await runJob(t.context, bulkJob, undefined, JSON.stringify({ bulk: job }));
}

async function importClients(t: TestApp, send: Send, during: (what: string) => void) {
  const { id } = await send('POST /imports/?kind=clients', IMPORTED.join('\n'), {
    'content-type': 'text/csv',
  });
  await send(`POST /imports/${id}/check/`, { mode: 'create' });
  await send(`POST /imports/${id}/run/`, {});
  during('job import');
  await runJob(t.context, importJob, undefined, JSON.stringify({ import: id }));
}

async function removeAll(
  send: Send,
  license: number,
  ids: { client: number; software: number; type: number },
) {
  await send(`POST /licenses/${license}/cancel/`, { reason: 'Fin' });
  await send(`DELETE /licenses/${license}/`);
  await send(`DELETE /license-types/${ids.type}/`);
  await send(`DELETE /software/${ids.software}/`);
  await send(`DELETE /clients/${ids.client}/`);
  const erased = await send('POST /clients/', {
    name: 'A',
    email: 'borrado@example.com',
    phone: '5512345678',
  });
  await send(`POST /clients/${erased.id}/erase/`, { reason: 'Lo pidió' });
}
