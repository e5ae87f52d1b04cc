import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, localDay } from '../../../contract/base/time.ts';
import { REPORT_KINDS } from '../../../contract/figures/reports.ts';
import { licenseCreate, licenseUpdate } from '../../../contract/licenses/licenses.ts';
import { VERBS } from '../../../contract/licenses/verbs/index.ts';
import { activation } from '../../../contract/programs/installations.ts';
import type { Observed } from '../../../test/api/license-history.ts';
import { expectedReports } from '../../../test/api/reports-oracle.ts';
import type { World } from '../../../test/api/reports-world.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createLicenseType, createSoftware } from '../../../test/factories.ts';
import fc, { triesOf } from '../../../test/properties.ts';
import { runJob } from '../../../test/run-job.ts';
import { asSystem } from '../../../test/scope.ts';
import { AppError } from '../../errors.ts';
import { foldDays } from '../figures/fold-days.ts';
import { addSeats } from '../licenses/add-seats.ts';
import { cancelLicense } from '../licenses/cancel-license.ts';
import { changeLicense } from '../licenses/change-license.ts';
import { extendLicense } from '../licenses/extend-license.ts';
import { issueLicense } from '../licenses/issue-license.ts';
import { getLicenseRow } from '../licenses/licenses.queries.ts';
import { reinstateLicense } from '../licenses/reinstate-license.ts';
import { renewLicense } from '../licenses/renew-license.ts';
import { suspendLicense } from '../licenses/suspend-license.ts';
import { transferLicense } from '../licenses/transfer-license.ts';
import { undoRenewal } from '../licenses/undo-renewal.ts';
import { activateInstallation, lockTypedLicense } from '../programs/activate-installation.ts';
import { startOverdueJob } from '../programs/start-overdue-job.ts';
import { foldRecurring } from './recurring/fold-recurring.ts';

/**
 * Random histories of licences over more than a year. Every report is compared with a second computation from the
 * rows and from the recorded states of each licence (REPORT-02).
 */

/** REPORT_TRIES=500 takes minutes. */
const TRIES = Number(process.env.REPORT_TRIES ?? triesOf(5));
const START = Date.parse('2025-08-20T12:00:00.000Z');
const HOUR = 3_600_000;

const currency = fc.constantFrom('MXN' as const, 'USD' as const, 'CLP' as const);
const which = fc.nat(11);
const price = fc.integer({ min: 1, max: 900 });
/** A length in months (MONEY-10); null for one in days. */
const months = fc.option(fc.integer({ min: 1, max: 14 }), { freq: 2 });
/** Whether nobody pays for it (MONEY-09). */
const courtesy = fc.constantFrom(false, false, true);

const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('issue' as const),
      client: fc.nat(2),
      software: fc.nat(1),
      status: fc.constantFrom('active', 'active', 'active', 'trial', 'suspended', 'cancelled'),
      category: fc.constantFrom('premium', 'premium', 'basic', 'trial'),
      days: fc.option(fc.integer({ min: 1, max: 200 }), { freq: 6 }),
      months,
      seats: fc.integer({ min: 1, max: 3 }),
      updates: fc.option(fc.integer({ min: -30, max: 400 })),
      /** The days until which it waits for its first activation; null: it starts at its issue. */
      waits: fc.option(fc.integer({ min: 1, max: 90 }), { freq: 3 }),
      courtesy,
      price,
      currency,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('renew' as const),
      which,
      days: fc.integer({ min: 1, max: 300 }),
      months,
      from: fc.constantFrom('expiry' as const, 'today' as const, undefined),
      type: fc.option(fc.nat(1)),
      courtesy,
      currency,
      price,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'undo' as const,
        'suspend' as const,
        'reinstate' as const,
        'cancel' as const,
        'extend' as const,
      ),
      which,
      days: fc.integer({ min: 1, max: 60 }),
      keep: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('maintain' as const),
      which,
      days: fc.option(fc.integer({ min: 1, max: 500 })),
      courtesy,
      currency,
      price,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('seats' as const),
      which,
      quantity: fc.integer({ min: 1, max: 9 }),
      price: fc.option(fc.integer({ min: 1, max: 99 })),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('activate' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('minute' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('transfer' as const), which, client: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      which,
      values: fc.record(
        {
          status: fc.constantFrom('active', 'trial', 'inactive', 'expired', 'suspended', 'cancelled'),
          license_type: fc.constantFrom('premium', 'trial'),
          currency,
          price,
          software: fc.nat(1),
          days: fc.integer({ min: -60, max: 200 }),
          updates: fc.option(fc.integer({ min: -60, max: 400 }), { freq: 4 }),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('machine' as const),
      which,
      age: fc.integer({ min: 0, max: 14 * 24 }),
      beats: fc.boolean(),
    }),
  },
);
const folds = fc.oneof(
  { weight: 4, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);
const step = fc.record({ wait: fc.integer({ min: 1, max: 30 * 24 }), folds, act });
const day = fc.integer({ min: -100, max: 560 }).map((days) => addDays('2025-08-20', days));
const questions = fc.record({
  range: fc.option(fc.tuple(day, day)),
  software: fc.option(fc.nat(2)),
  currency: fc.option(currency),
});
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;
type Step = { wait: number; folds: boolean; act: Act };

const NEVER_ABORTED = new AbortController().signal;

type Ground = { clients: number[]; software: number[]; types: number[] };

describe.each(['America/Mexico_City', 'Pacific/Auckland'])('in the time zone %s', (timeZone) => {
  let t: TestApp;
  let ground: Ground;
  beforeAll(async () => {
    const now = new Date(START).toISOString();
    t = await createTestApp({ now, closeAfterTest: false, env: { BUSINESS_TIMEZONE: timeZone } });
    const clients = [];
    for (const country of ['México', 'Chile', 'México'])
      clients.push((await createClient(t, { country })).id);
    const software = [(await createSoftware(t)).id, (await createSoftware(t)).id];
    const types = [
      (await createLicenseType(t)).id,
      (await createLicenseType(t, { base_price: 50, currency: 'USD', updates_days: 90 })).id,
    ];
    ground = { clients, software, types };
    return t.close;
  });

  test('every report equals an independent computation, for random licences (REPORT-02)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 40 }),
        fc.array(questions, { minLength: 2, maxLength: 2 }),
        async (steps, asked) => {
          const world = await live(t, ground, steps);
          t.token = await signInAs(t, 'admin', 'admin123');
          for (const question of [{ range: null, software: null, currency: null }, ...asked]) {
            await compare(t, world, ground, question);
          }
        },
      ),
      { numRuns: TRIES },
    );
  }, 3_600_000);
});

/** Runs all steps from the start, and reads the result. */
async function live(t: TestApp, ground: Ground, steps: Step[]): Promise<World> {
  t.clock.set(new Date(START));
  await t.db.deleteFrom('licenses').execute();
  const observed = new Map<number, Observed[]>();
  for (const { wait, folds: isNight, act: asked } of steps) {
    // Not a full second, so that no licence ends at the exact moment of a change.
    t.clock.advance(wait * HOUR + 61_007);
    const ids = [...observed.keys()];
    const id = 'which' in asked ? ids[asked.which % Math.max(1, ids.length)] : undefined;
    if (asked.do !== 'issue' && id === undefined) continue;
    if (asked.do === 'minute') {
      await runJob(t.context, startOverdueJob);
      for (const one of ids) await see(t, observed, one);
      continue;
    }
    if (isNight) {
      await foldDays(t.db, { signal: NEVER_ABORTED, worthIt: 0, settleMs: 0 });
      await foldRecurring(t.context, { signal: NEVER_ABORTED, worthIt: 1 });
    }
    try {
      const touched = await doIt(t, ground, asked, id ?? 0);
      await see(t, observed, touched);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  t.clock.advance(HOUR);
  const [licenses, terms, installations, clients, software] = await Promise.all([
    t.db.selectFrom('licenses').selectAll().orderBy('id').execute(),
    t.db.selectFrom('license_terms').selectAll().orderBy('id').execute(),
    t.db.selectFrom('installations').selectAll().execute(),
    t.db.selectFrom('clients').selectAll().orderBy('id').execute(),
    t.db.selectFrom('software').select(['id', 'name', 'version']).orderBy('id').execute(),
  ]);
  return { licenses, terms, installations, clients, software, observed };
}

/** Records the state of a licence if it has changed. */
async function see({ db }: TestApp, observed: Map<number, Observed[]>, id: number): Promise<void> {
  const row = await db.selectFrom('licenses').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) {
    observed.delete(id);
    return;
  }
  const { status, license_type, expiry_date, updated_at: at } = row;
  observed.set(id, [...(observed.get(id) ?? []), { at, status, license_type, expiry_date }]);
}

/**
 * Runs one step with the same function as the console's call.
 * @returns the licence
 */
async function doIt(
  t: TestApp,
  ground: Ground,
  asked: Exclude<Act, { do: 'minute' }>,
  id: number,
): Promise<number> {
  const now = t.context.now();
  const today = localDay(now, t.context.config.timeZone);
  if (asked.do === 'delete') {
    await t.db.deleteFrom('licenses').where('id', '=', id).execute();
    return id;
  }
  if (asked.do === 'machine') {
    const license = await t.db
      .selectFrom('licenses')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (license.current_installations >= license.max_installations) return id;
    const installed = new Date(now.getTime() - asked.age * HOUR).toISOString();
    const machine_id = `m${license.current_installations}`;
    const machine = { machine_id, machine_key: machine_id, machine_name: '', mac_address: '' };
    const app_version = ['', '1.0', '1.1'][(id + license.current_installations) % 3]!;
    const beat = { installation_date: installed, last_heartbeat: asked.beats ? now.toISOString() : null };
    await t.db
      .insertInto('installations')
      .values({ license_id: id, ...machine, ip_address: '', notes: '', app_version, ...beat })
      .execute();
    await t.db
      .updateTable('licenses')
      .set({ current_installations: license.current_installations + 1 })
      .where('id', '=', id)
      .execute();
    return id;
  }
  return asSystem(t, async (scope) => {
    const quiet = { notify: false, reason: '' };
    switch (asked.do) {
      case 'issue': {
        const { client, software, status, category, seats } = asked;
        const { currency: money } = asked;
        const values = {
          client: ground.clients[client],
          software: ground.software[software],
          license_type: category,
          status,
          ...pricedAs(asked),
          currency: money,
          max_installations: seats,
          ...startOf(asked, today),
          updates_until: dayAfter(today, asked.updates),
        };
        return (await issueLicense(scope, licenseCreate.parse(values))).id;
      }
      case 'renew': {
        const type = asked.type === null ? {} : { license_type_config: ground.types[asked.type] };
        const terms = {
          ...(asked.months === null ? { expiry_days: asked.days } : { expiry_months: asked.months }),
          from: asked.from,
          ...pricedAs(asked),
          currency: asked.currency,
        };
        await renewLicense(scope, id, VERBS.renew.body.parse({ notify: false, ...type, ...terms }));
        return id;
      }
      case 'maintain': {
        const { days, currency: money } = asked;
        const terms = { ...pricedAs(asked), currency: money, ...(days !== null && { updates_days: days }) };
        const sold = { kind: 'maintenance', notify: false, ...terms };
        await renewLicense(scope, id, VERBS.renew.body.parse(sold));
        return id;
      }
      case 'seats': {
        const { quantity, price: amount } = asked;
        const sold = { quantity, notify: false, ...(amount !== null && { price: amount }) };
        return (await addSeats(scope, id, VERBS.add_seats.body.parse(sold))).id;
      }
      case 'activate': {
        const { license_key } = await getLicenseRow(scope.tx, id, scope.now, scope.timeZone);
        const machine = activation.parse({ license_key, machine_id: 'programa' });
        await activateInstallation(scope, machine, (await lockTypedLicense(scope.tx, license_key))!);
        return id;
      }
      case 'undo':
        return (await undoRenewal(scope, id)).id;
      case 'suspend':
        return (await suspendLicense(scope, id, quiet)).id;
      case 'reinstate':
        return (await reinstateLicense(scope, id, { extend: asked.keep, notify: false })).id;
      case 'cancel':
        return (await cancelLicense(scope, id, quiet)).id;
      case 'extend': {
        const values = VERBS.extend.body.parse({ days: asked.days, reason: 'x', notify: false });
        return (await extendLicense(scope, id, values)).id;
      }
      case 'transfer': {
        const values = VERBS.transfer.body.parse({ client: ground.clients[asked.client], notify: false });
        return (await transferLicense(scope, id, values)).id;
      }
      case 'put': {
        const { days, software, updates, ...values } = asked.values;
        const date = days === undefined ? {} : { expiry_date: addDays(today, days) };
        const of = software === undefined ? {} : { software: ground.software[software] };
        const until = updates === undefined ? undefined : dayAfter(today, updates);
        const changes = licenseUpdate.parse({ ...values, ...date, ...of, updates_until: until });
        return (await changeLicense(scope, id, changes)).id;
      }
    }
  });
}

const pricedAs = ({ price: amount, courtesy: complimentary }: { price: number; courtesy: boolean }) =>
  complimentary ? { price: 0, complimentary } : { price: amount };

/** A licence that waits has a length in days, and no date. */
const startOf = (
  { days, months: sold, waits }: Record<'days' | 'months' | 'waits', number | null>,
  today: string,
) => {
  const length = sold === null ? { expiry_days: days } : { expiry_months: sold };
  if (waits !== null && days !== null)
    return { start_mode: 'first_activation', activate_by_days: waits, ...length };
  return sold === null || days === null ? { expiry_date: dayAfter(today, days) } : length;
};

const dayAfter = (today: string, days: number | null) => (days === null ? null : addDays(today, days));

type Question = typeof questions extends fc.Arbitrary<infer Value> ? Value : never;

async function compare(t: TestApp, world: World, ground: Ground, question: Question): Promise<void> {
  const { timeZone } = t.context.config;
  const now = t.context.now();
  const today = localDay(now, timeZone);
  const software = question.software === null ? null : (ground.software[question.software] ?? 999_999);
  const filters = { software, currency: question.currency };
  for (const kind of REPORT_KINDS) {
    // Checks are not part of these histories; checks.test.ts tests their report.
    if (kind === 'checks') continue;
    const period = question.range === null ? periodOf(kind, today) : inOrder(question.range);
    const query = new URLSearchParams({
      ...(question.range !== null && period),
      ...(software !== null && { software: String(software) }),
      ...(question.currency !== null && { currency: question.currency }),
    });
    const { status, body } = await t.call('GET', `/licenses/api/reports/${kind}/?${query}`);
    expect(status).toBe(200);
    const asked = { now: now.toISOString(), timeZone, own: 'MXN' as const, ...period, ...filters };
    expect({ kind, ...body }).toEqual({ kind, ...expectedReports(world, asked)[kind] });
  }
}

const inOrder = ([one, other]: [string, string]) =>
  one < other ? { from: one, to: other } : { from: other, to: one };

/** The twelve months up to today, or, for renewals, from today. */
function periodOf(kind: string, today: string) {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1];
  const ofMonths = (count: number, dayOfMonth: number) =>
    new Date(Date.UTC(year, month + count, dayOfMonth)).toISOString().slice(0, 10);
  return kind === 'renewals' ? { from: today, to: ofMonths(12, 0) } : { from: ofMonths(-11, 1), to: today };
}
