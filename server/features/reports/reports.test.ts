import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { REPORT_KINDS, type ReportKind } from '../../../contract/figures/reports.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import {
  activate,
  createClient,
  createLicense,
  createLicenseType,
  createSoftware,
} from '../../../test/factories.ts';
import { runJob } from '../../../test/run-job.ts';
import { storeCollectedChecks } from '../programs/checks/collect-checks.ts';
import { refreshJob, reportJob } from './report-job.ts';

const URL = '/licenses/api/reports/';
const LICENSES = '/licenses/api/licenses/';
const NOON = '2026-11-22T18:00:00.000Z';

const reportOf = async (t: TestApp, path: string) => {
  const { status, body } = await t.call('GET', URL + path);
  expect([path, status, body.success]).toEqual([path, 200, true]);
  return body;
};

/** The session ends within a day, so a test that moves the clock signs in again. */
async function at(t: TestApp, moment: string): Promise<void> {
  t.clock.set(moment);
  t.token = await signInAs(t, 'admin', 'admin123');
}

const act = async (t: TestApp, id: number, action: string, body: unknown = {}) => {
  const { status } = await t.call('POST', `${LICENSES}${id}/${action}/`, { body });
  expect([action, status]).toEqual([action, 200]);
};

describe('the period (REPORT-02)', () => {
  test('is the twelve months that end today by default, and for renewals those that begin today', async () => {
    const t = await createTestApp({ now: NOON });
    const revenue = await reportOf(t, 'revenue/');
    expect(revenue).toMatchObject({ from: '2025-12-01', to: '2026-11-22', software: null, currency: null });
    expect(revenue).toMatchObject({ previous_from: '2024-12-01', previous_to: '2025-11-22', as_of: NOON });
    expect(revenue.months).toHaveLength(12);
    expect(revenue.months[0]).toEqual({
      month: '2025-12',
      from: '2025-12-01',
      to: '2025-12-31',
      currency: 'MXN',
      new: 0,
      renewal: 0,
      upgrade: 0,
      maintenance: 0,
      total: 0,
      previous: 0,
      count: 0,
      collected: 0,
    });
    expect(revenue.totals).toMatchObject([{ currency: 'MXN', total: 0, change: null }]);
    const renewals = await reportOf(t, 'renewals/');
    expect(renewals).toMatchObject({ from: '2026-11-22', to: '2027-10-31' });
    expect(renewals).toMatchObject({ rate_from: '2025-11-23', rate_to: '2026-11-22', renewal_rate: null });
    expect(renewals.months).toHaveLength(12);
    expect(renewals.months[0].expected).toBeNull();
  });

  test('is twelve months before or after the day when only one day is given', async () => {
    const t = await createTestApp({ now: NOON });
    expect(await reportOf(t, 'trials/?to=2026-03-15')).toMatchObject({
      from: '2025-04-01',
      to: '2026-03-15',
    });
    expect(await reportOf(t, 'trials/?from=2026-03-15')).toMatchObject({
      from: '2026-03-15',
      to: '2027-02-28',
    });
    expect(await reportOf(t, 'renewals/?to=2026-03-15')).toMatchObject({ from: '2025-04-01' });
  });

  test('is compared with the same days of the months before, and a whole month with a whole month', async () => {
    const t = await createTestApp({ now: NOON });
    const periodBefore = async (from: string, to: string) => {
      const { previous_from, previous_to } = await reportOf(t, `revenue/?from=${from}&to=${to}`);
      return [previous_from, previous_to];
    };
    expect(await periodBefore('2026-11-01', '2026-11-22')).toEqual(['2026-10-01', '2026-10-22']);
    expect(await periodBefore('2026-02-01', '2026-02-28')).toEqual(['2026-01-01', '2026-01-31']);
    expect(await periodBefore('2026-03-30', '2026-03-30')).toEqual(['2026-02-28', '2026-02-28']);
    expect(await periodBefore('2026-01-15', '2026-03-10')).toEqual(['2025-10-15', '2025-12-10']);
  });

  test('is refused at its field when it is invalid, also in the export', async () => {
    const t = await createTestApp({ now: NOON });
    for (const [query, field] of [
      ['from=2026-02-30', 'from'],
      ['from=2026-02-02&to=2026-02-01', 'to'],
      ['from=2021-01-01&to=2026-01-31', 'to'],
      ['software=x', 'software'],
      ['currency=XYZ', 'currency'],
    ] as const) {
      // The report on checks has no currency.
      const kinds = REPORT_KINDS.filter((kind) => kind !== 'checks' || field !== 'currency');
      for (const path of kinds.flatMap((kind) => [`${kind}/`, `${kind}/export/`])) {
        const { status, body } = await t.call('GET', `${URL}${path}?${query}`);
        expect([path, query, status, Object.keys(body.errors ?? {})]).toEqual([path, query, 400, [field]]);
      }
    }
  });
});

test('each figure is the number of records in the list that it links to (REPORT-01)', async () => {
  const t = await createTestApp({ now: '2026-09-10T18:00:00.000Z' });
  const { id: client } = await createClient(t, { country: 'Chile' });
  const { id: software } = await createSoftware(t);
  const { id: type } = await createLicenseType(t, { base_price: 500 });
  const terms = { client, software, expiry_days: 30, license_type_config: type };
  const renewed = await createLicense(t, { ...terms, price: 100 });
  await createLicense(t, { ...terms, price: 200 });
  const trial = await createLicense(t, { ...terms, status: 'trial', license_type: 'trial', price: 10 });
  await createLicense(t, { ...terms, status: 'trial', license_type: 'trial', price: 20 });
  const other = await createLicense(t, { price: 7, currency: 'USD', max_installations: 1 });
  await activate(t, other.license_key, 'caja');
  await at(t, '2026-10-05T18:00:00.000Z');
  await act(t, renewed.id, 'renew', { price: 150, expiry_days: 60 });
  await act(t, trial.id, 'renew', { license_type_config: type });
  await act(t, other.id, 'suspend');
  await at(t, '2026-10-08T18:00:00.000Z');
  await act(t, other.id, 'reinstate');
  await at(t, NOON);

  const listed = async (query: string) => (await t.call('GET', `${LICENSES}?${query}`)).body.count;
  const revenue = await reportOf(t, 'revenue/');
  const row = (report: { months: { month: string; currency: string }[] }, month: string, currency = 'MXN') =>
    report.months.find((one) => one.month === month && one.currency === currency);
  expect(row(revenue, '2026-09')).toMatchObject({ new: 330, renewal: 0, total: 330, count: 4 });
  expect(row(revenue, '2026-10')).toMatchObject({ new: 0, renewal: 650, upgrade: 0, total: 650, count: 2 });
  expect(row(revenue, '2026-09', 'USD')).toMatchObject({ total: 7 });
  expect(await listed('sold=2026-09-01..2026-09-30')).toBe(5);
  expect(await listed('sold=2026-09-01..2026-09-30&currency=MXN')).toBe(4);
  expect(await listed('sold=2026-10-01..2026-10-31')).toBe(2);

  const licenses = await reportOf(t, `licenses/?software=${software}`);
  expect(row(licenses, '2026-09')).toMatchObject({ active: 2, issued: 4, gained: 2, lost: 0 });
  expect(row(licenses, '2026-10')).toMatchObject({ active: 2, issued: 0, gained: 1, lost: 1 });
  const all = await reportOf(t, 'licenses/');
  expect(row(all, '2026-10', 'USD')).toMatchObject({ active: 1, issued: 0, gained: 1, lost: 1 });
  expect(await listed('issued=2026-09-01..2026-09-30')).toBe(5);
  expect(await listed('lost=2026-10-01..2026-10-31')).toBe(2);
  expect(await listed(`lost=2026-10-01..2026-10-31&software=${software}`)).toBe(1);
  const { active_licenses } = (await t.call('GET', '/licenses/api/statistics/')).body.statistics;
  expect(all.totals.reduce((sum: number, { active }: { active: number }) => sum + active, 0)).toBe(
    active_licenses,
  );

  const trials = await reportOf(t, 'trials/');
  expect(row(trials, '2026-09')).toMatchObject({ begun: 2, converted: 0, lost: 0 });
  expect(row(trials, '2026-10')).toMatchObject({ begun: 0, converted: 1, lost: 1 });
  expect(trials.totals[0].conversion_rate).toBe(50);
  for (const [name, month] of [
    ['begun', '09'],
    ['converted', '10'],
    ['lost', '10'],
  ]) {
    expect([name, await listed(`trial_${name}=2026-${month}-01..2026-${month}-30`)]).toEqual([
      name,
      row(trials, `2026-${month}`)?.[name as never],
    ]);
  }

  const renewals = await reportOf(t, 'renewals/?currency=MXN');
  expect(renewals).toMatchObject({ ended: 2, renewed: 1, renewal_rate: 50 });
  expect(row(renewals, '2026-12')).toMatchObject({ due: 1, amount: 150, expected: 75 });
  expect(await listed('status=active&expiry_from=2026-12-01&expiry_to=2026-12-31')).toBe(1);

  const usage = await reportOf(t, 'usage/');
  expect(usage).toMatchObject({
    seats_used: 1,
    installations: 1,
    silent: 1,
    unused: 2,
    full: 1,
    silent_days: 7,
  });
  expect(usage.unused_amounts).toEqual([{ currency: 'MXN', amount: 650 }]);
  expect(await listed('is_active=true&unused=true')).toBe(2);
  expect(await listed('seats_full=true')).toBe(1);
  expect((await t.call('GET', '/licenses/api/installations/?silent_for=7')).body.count).toBe(1);

  const { by_country, top, at_risk, at_risk_clients } = await reportOf(t, `clients/?software=${software}`);
  expect(by_country).toEqual([{ country: 'Chile', clients: 1 }]);
  expect(top).toEqual([{ client: { id: client, name: expect.any(String) }, amount: 980, currency: 'MXN' }]);
  expect(at_risk).toMatchObject([{ client: { id: client }, reason: 'unused', licenses: 1, amount: 150 }]);
  expect(at_risk_clients).toBe(1);
});

test('clients at risk have a licence that has ended, or ends soon without a working machine (REPORT-01)', async () => {
  const t = await createTestApp({ now: '2026-11-01T18:00:00.000Z' });
  const { id: software } = await createSoftware(t);
  const issue = async (name: string, days: number, price: number) => {
    const client = (await createClient(t, { name })).id;
    return createLicense(t, { client, software, expiry_days: days, price });
  };
  await issue('Terminó', 5, 10);
  await issue('Sin equipos', 40, 30);
  const silent = await issue('Callado', 41, 20);
  const busy = await issue('Activo', 41, 40);
  // Ends on the thirtieth day after today, but later than 30 times 24 hours from noon.
  await issue('Último día', 51, 5);
  await issue('Un día después', 52, 5);
  await issue('Lejos', 300, 50);
  await activate(t, silent.license_key, 'a');
  await at(t, NOON);
  await activate(t, busy.license_key, 'b');
  const { at_risk, at_risk_clients } = await reportOf(t, 'clients/');
  expect(
    at_risk.map((risk: { client: { name: string } }) => ({ ...risk, client: risk.client.name })),
  ).toMatchObject([
    { client: 'Sin equipos', reason: 'unused', licenses: 1, amount: 30, currency: 'MXN' },
    { client: 'Callado', reason: 'silent', licenses: 1, amount: 20 },
    { client: 'Terminó', reason: 'ended', licenses: 1, amount: 10 },
    { client: 'Último día', reason: 'unused', licenses: 1, amount: 5 },
  ]);
  expect(at_risk_clients).toBe(4);
});

test('a filter of days that are not two dates is refused', async () => {
  const t = await createTestApp({ now: NOON });
  for (const days of [
    '2026-01-01',
    '2026-01-01..x',
    '..',
    '2026-01-01..2026-02-01..2026-03-01',
    '2026-01-01..9999-12-31',
  ]) {
    const { status, body } = await t.call('GET', `${LICENSES}?issued=${days}`);
    expect([days, status, Object.keys(body.errors ?? {})]).toEqual([days, 400, ['issued']]);
  }
});

test('a month to come has the licences of now, at any time of the day (REPORT-02)', async () => {
  for (const hour of ['08', '18']) {
    const t = await createTestApp({ now: `2026-11-22T${hour}:00:00.000Z` });
    await createLicense(t);
    const { months } = await reportOf(t, 'licenses/?from=2026-11-01&to=2026-12-31');
    expect([hour, months]).toMatchObject([
      hour,
      [
        { month: '2026-11', active: 1, issued: 1, gained: 1, lost: 0 },
        { month: '2026-12', active: 1, issued: 0, gained: 0, lost: 0 },
      ],
    ]);
  }
});

describe('machines by version of their program', { tags: ['REPORT-01', 'REPORT-02', 'PROG-06'] }, () => {
  const install = (t: TestApp, license_key: string, machine_id: string, app_version?: string) =>
    t.call('POST', '/licenses/api/installations/', {
      token: null,
      body: { license_key, machine_id, app_version },
    });

  test('the versions with most machines are first, filtered by software and currency', async () => {
    const t = await createTestApp({ now: NOON });
    const [caja, nomina] = [await createSoftware(t), await createSoftware(t)];
    const pesos = await createLicense(t, { software: caja.id });
    const dollars = await createLicense(t, { software: caja.id, currency: 'USD' });
    const other = await createLicense(t, { software: nomina.id });
    for (const machine of ['a', 'b']) await install(t, pesos.license_key, machine, '2.0');
    await install(t, pesos.license_key, 'c', '1.9');
    await install(t, dollars.license_key, 'a', '1.9');
    await install(t, dollars.license_key, 'b', '1.9');
    await install(t, other.license_key, 'a');

    const versionsOf = async (query: string) => {
      const { results, installations, is_complete } = await reportOf(t, `versions/${query}`);
      expect(is_complete).toBe(true);
      return [installations, results.map((row: Record<string, unknown>) => [row.version, row.installations])];
    };
    expect(await versionsOf('')).toEqual([
      6,
      [
        ['1.9', 3],
        ['2.0', 2],
        [null, 1],
      ],
    ]);
    expect(await versionsOf(`?software=${caja.id}&currency=MXN`)).toEqual([
      3,
      [
        ['2.0', 2],
        ['1.9', 1],
      ],
    ]);
    const csv: Record<string, string>[] = parse((await t.call('GET', `${URL}versions/export/`)).text, {
      bom: true,
      columns: true,
    });
    expect(csv.map(({ Versión, Instalaciones }) => [Versión, Instalaciones])).toEqual([
      ['1.9', '3'],
      ['2.0', '2'],
      ['Sin informar', '1'],
    ]);

    // A heartbeat after an update of the program counts its machine under the new version.
    await t.call('POST', '/licenses/api/installation/heartbeat/', {
      token: null,
      body: { license_key: other.license_key, machine_id: 'a', app_version: '2.0' },
    });
    expect(await versionsOf(`?software=${nomina.id}`)).toEqual([1, [['2.0', 1]]]);
  });

  test('at most 50 versions are returned, and the report says when there are more', async () => {
    const t = await createTestApp({ now: NOON });
    const { license_key } = await createLicense(t, { max_installations: 60 });
    for (let n = 0; n < 51; n += 1) await install(t, license_key, `m${n}`, `1.${n}`);
    expect(await reportOf(t, 'versions/')).toMatchObject({ installations: 51, is_complete: false });
  });
});

describe('each report as CSV (REPORT-02)', () => {
  /** Programs read the files by these. */
  const HEADERS: Record<ReportKind, string> = {
    revenue:
      'Mes,Desde,Hasta,Moneda,Nuevas,Renovaciones,Mejoras,Total,Periodo anterior,Ventas,Actualizaciones,Cobrado',
    renewals:
      'Mes,Desde,Hasta,Moneda,Por renovar,Importe,Importe esperado,Tasa de renovación (%),Actualizaciones por renovar,Importe de actualizaciones',
    licenses: 'Mes,Desde,Hasta,Moneda,Activas,Emitidas,Ganadas,Perdidas',
    usage:
      'Software,Versión,Equipos contratados,Equipos usados,Uso (%),Instalaciones,Sin señal,Licencias sin instalaciones,Licencias llenas',
    versions: 'Versión,Instalaciones',
    trials: 'Mes,Desde,Hasta,Moneda,Iniciadas,Convertidas,Perdidas',
    clients: 'Tabla,País,ID,Cliente,Clientes,Importe,Moneda,Motivo,Licencias,Termina',
    checks: 'Día,Resultado,Motivo,Consultas',
    recurring:
      'Mes,Desde,Hasta,Moneda,Al inicio,Nueva,Ampliada,Recuperada,Reducida,Perdida,Al final,Clientes,Por cliente,Retención bruta del periodo (%),Retención neta del periodo (%)',
  };

  test('has Spanish headers, the rows of the answer, and the time of the figures', async () => {
    const t = await createTestApp({ now: NOON });
    const license = await createLicense(t, { price: 12.5, expiry_days: 10 });
    await activate(t, license.license_key, 'caja');
    await storeCollectedChecks(t.context);
    for (const kind of REPORT_KINDS) {
      const query = kind === 'checks' ? '' : '?currency=MXN';
      const { status, headers, text } = await t.call('GET', `${URL}${kind}/export/${query}`);
      expect([kind, status]).toEqual([kind, 200]);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
      const [header, ...rows]: string[][] = parse(text, { bom: true, relax_column_count: false });
      expect(header!.join()).toBe(`${HEADERS[kind]},Datos al`);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(row.at(-1)).toBe(NOON);
    }
    const { headers, text } = await t.call('GET', `${URL}revenue/export/?from=2026-11-01&to=2026-11-30`);
    expect(headers['content-disposition']).toBe('attachment; filename="ventas-y-cobros_2026-11-22.csv"');
    expect(parse(text, { bom: true })).toEqual([
      [
        'Mes',
        'Desde',
        'Hasta',
        'Moneda',
        'Nuevas',
        'Renovaciones',
        'Mejoras',
        'Total',
        'Periodo anterior',
        'Ventas',
        'Actualizaciones',
        'Cobrado',
        'Datos al',
      ],
      ['2026-11', '2026-11-01', '2026-11-30', 'MXN', '12.5', '0', '0', '12.5', '0', '1', '0', '0', NOON],
    ]);
    const clients = await t.call('GET', `${URL}clients/export/`);
    expect(parse(clients.text, { bom: true }).map(([table]: string[]) => table)).toEqual([
      'Tabla',
      'Por país',
      'Mayor importe',
    ]);
  });
});

describe('stored figures of large tables', () => {
  /** Makes the tables count as large for the reports, which read the stored counts. */
  const grow = (t: TestApp) =>
    t.db.updateTable('row_counts').set({ n: 1_000_000 }).where('table_name', '=', 'clients').execute();
  const partsOf = async (t: TestApp) =>
    (await t.db.selectFrom('report_figures').select('part').orderBy('part').execute()).map(
      ({ part }) => part,
    );

  test('are returned at once by statistics, and are computed again soon after', async () => {
    const t = await createTestApp({ now: NOON });
    const license = await createLicense(t, { price: 10 });
    await activate(t, license.license_key, 'caja');
    await grow(t);
    const statistics = async (name: string) =>
      (await t.call('GET', `/licenses/api/statistics/${name}/`)).body.statistics;
    expect(await statistics('usage')).toMatchObject({ total_installations: 1, new_installations: 1 });
    expect(await statistics('revenue')).toMatchObject({ license_count: 1 });
    expect(await statistics('clients')).toMatchObject({ last_updated: NOON });

    await activate(t, license.license_key, 'caja 2');
    await createLicense(t, { price: 10 });
    await grow(t);
    await at(t, '2026-11-22T18:06:00.000Z');
    expect(await statistics('usage')).toMatchObject({ total_installations: 1, new_installations: 1 });
    expect(await statistics('revenue')).toMatchObject({ license_count: 1 });
    expect(await statistics('clients')).toMatchObject({ last_updated: NOON });
    const jobs = await t.db
      .selectFrom('jobs')
      .where('kind', '=', refreshJob.kind)
      .select('payload')
      .execute();
    expect(jobs).toHaveLength(4);
    for (const { payload } of jobs) await runJob(t.context, refreshJob, undefined, payload);
    expect(await statistics('usage')).toMatchObject({ total_installations: 2, new_installations: 2 });
    expect(await statistics('revenue')).toMatchObject({ license_count: 2 });
    expect(await statistics('clients')).toMatchObject({ last_updated: '2026-11-22T18:06:00.000Z' });
  });

  test('are computed once, contain their time, and are computed again each night', async () => {
    const t = await createTestApp({ now: NOON });
    const { id: software } = await createSoftware(t);
    const license = await createLicense(t, { price: 10, software });
    await activate(t, license.license_key, 'caja');
    await runJob(t.context, reportJob);
    expect(await partsOf(t)).toEqual([]);
    await grow(t);

    expect(await reportOf(t, `usage/?software=${software}`)).toMatchObject({ as_of: NOON, installations: 1 });
    expect(await reportOf(t, 'clients/?currency=MXN')).toMatchObject({ as_of: NOON, clients: 1 });
    await activate(t, license.license_key, 'caja 2');
    await grow(t);
    await at(t, '2026-11-22T19:00:00.000Z');
    expect(await reportOf(t, 'usage/')).toMatchObject({ as_of: NOON, installations: 1 });
    expect(await reportOf(t, 'versions/')).toMatchObject({ as_of: NOON, installations: 1 });
    // Nobody has requested all currencies of the default period yet, so these figures are computed at the call.
    expect(await reportOf(t, 'clients/')).toMatchObject({ as_of: '2026-11-22T19:00:00.000Z' });

    await runJob(t.context, reportJob);
    expect(await reportOf(t, 'usage/')).toMatchObject({ as_of: NOON });
    const night = '2026-11-23T06:05:00.000Z';
    await at(t, night);
    await runJob(t.context, reportJob);
    expect(await reportOf(t, 'usage/')).toMatchObject({ as_of: night, installations: 2 });
    expect(await reportOf(t, 'clients/')).toMatchObject({ as_of: night });
    // Figures with a currency were requested within the week. 'top', revenue and new machines are computed for the
    // periods of the screen, of two days.
    const tops = Array.from({ length: 9 }, () => 'top');
    const revenue = ['statistics-revenue', 'statistics-revenue'];
    const machines = ['statistics-machines', 'statistics-machines'];
    const statistics = ['statistics-clients', ...machines, ...revenue, 'statistics-usage'];
    expect(await partsOf(t)).toEqual(['clients', 'clients', ...statistics, ...tops, 'usage']);
    await runJob(t.context, reportJob);
    expect(await reportOf(t, 'usage/')).toMatchObject({ as_of: night });
  });

  test('are computed on the call after a failed night, and deleted when nobody requests them', async () => {
    const t = await createTestApp({ now: NOON });
    await createLicense(t);
    await grow(t);
    await t.call('GET', `${URL}clients/?currency=USD`);
    await t.call('GET', `${URL}usage/`);
    await at(t, '2026-11-23T20:00:00.000Z');
    expect(await reportOf(t, 'usage/')).toMatchObject({ as_of: NOON });
    await at(t, '2026-11-25T18:00:00.000Z');
    expect(await reportOf(t, 'usage/')).toMatchObject({ as_of: '2026-11-25T18:00:00.000Z' });
    await runJob(t.context, reportJob);
    const statistics = ['clients', 'machines', 'revenue', 'usage'].map((name) => `statistics-${name}`);
    expect(await partsOf(t)).toEqual(['clients', ...statistics, 'top', 'top', 'top', 'top', 'usage']);
  });

  test('do not contain software and clients that were deleted since', async () => {
    const t = await createTestApp({ now: NOON });
    const license = await createLicense(t, { expiry_days: 5 });
    await grow(t);
    const { client, software } = license;
    await reportOf(t, 'usage/');
    await reportOf(t, 'clients/');
    await t.call('DELETE', `${LICENSES}${license.id}/`);
    await t.call('DELETE', `/licenses/api/clients/${client.id}/`);
    await t.call('DELETE', `/licenses/api/software/${software.id}/`);
    await grow(t);
    expect(await reportOf(t, 'usage/')).toMatchObject({ seats_total: 5, by_software: [] });
    expect(await reportOf(t, 'clients/')).toMatchObject({ clients: 1, top: [], at_risk: [] });
  });
});

test('every call needs a session (REPORT-02)', async () => {
  const t = await createTestApp();
  for (const kind of REPORT_KINDS) {
    for (const path of ['', 'export/']) {
      expect((await t.call('GET', `${URL}${kind}/${path}`, { token: null })).status).toBe(401);
    }
  }
});
