import { beforeAll, expect, test } from 'vitest';
import { type License, licenseUpdate } from '../../../contract/licenses/licenses.ts';
import type { Meters } from '../../../contract/licenses/meters.ts';
import { VERBS } from '../../../contract/licenses/verbs/index.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { activate, createLicense } from '../../../test/factories.ts';
import fc, { triesOf } from '../../../test/properties.ts';
import { asSystem } from '../../../test/scope.ts';
import { usageOf } from '../../rules/license-meters.ts';
import { changeLicense } from '../licenses/change-license.ts';
import { listTerms } from '../licenses/license-terms.queries.ts';
import { getLicenseRow } from '../licenses/licenses.queries.ts';
import { renewLicense } from '../licenses/renew-license.ts';
import { adjustUsage } from './adjust-usage.ts';
import { deletePastUsage } from './past-usage.queries.ts';
import { wrongUsage } from './recount-usage.ts';

/**
 * Random usage of licences, compared with a second computation (SELL-03): changed limits, ended periods, records that
 * are late, early, repeated or concurrent, corrections and renewals. All counts can be computed again from what is stored.
 */

/** USAGE_TRIES=200 takes minutes. */
const TRIES = Number(process.env.USAGE_TRIES ?? triesOf(6));
const START = Date.parse('2026-11-01T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ZONE = 'America/Mexico_City';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ now: new Date(START).toISOString(), closeAfterTest: false });
  return t.close;
});

const code = fc.constantFrom('facturas', 'timbres', 'correos', 'nada');
const sent = fc.record({
  code,
  amount: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(1_000_000_000)),
  /** Few ids, so that many are repeated. */
  id: fc.integer({ min: 1, max: 40 }),
  /** How many minutes ago it was used; a negative number is ahead of the server's clock. */
  ago: fc.option(fc.integer({ min: -8, max: 40 * 24 * 60 })),
});
const meter = fc.record({
  limit: fc.option(fc.integer({ min: 0, max: 12 })),
  period: fc.constantFrom('never', 'day', 'month', 'year', 'term'),
  overage: fc.constantFrom('refuse', 'allow'),
});
const metersOf = fc.record({ facturas: meter, timbres: meter, correos: meter }, { requiredKeys: [] });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('report'),
      records: fc.array(sent, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait'), minutes: fc.integer({ min: 1, max: 15 * 24 * 60 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('meters'), meters: metersOf }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('adjust'), code, used: fc.integer({ min: 0, max: 15 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('renew') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('housekeeping') }) },
);

type Reported = { code: string; amount: number; request_id: string; at: number };
type Term = { id: number; starts: string; ends: string | null };

/** The second computation: it keeps every counted record and adds them up at each question. */
class Model {
  meters: Meters = {};
  /** The counted amounts, and the differences made by corrections. */
  readonly #counted: { code: string; period: string; amount: number }[] = [];
  readonly #ids = new Map<string, number>();
  readonly reached = new Set<string>();

  used = (of: string, period: string) =>
    this.#counted
      .filter((one) => one.code === of && one.period === period)
      .reduce((sum, { amount }) => sum + amount, 0);

  periodOf = (of: string, at: number, terms: Term[]): string => {
    const [year, month, day] = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(at).split('-');
    switch (this.meters[of]!.period) {
      case 'never':
        return 'always';
      case 'day':
        return `${year}-${month}-${day}`;
      case 'month':
        return `${year}-${month}`;
      case 'year':
        return `${year}`;
      case 'term': {
        const begun = terms.filter(({ starts }) => Date.parse(starts) <= at).map(({ id }) => id);
        const first = Math.min(...terms.map(({ id }) => id));
        return `term ${begun.length > 0 ? Math.max(...begun) : first}`;
      }
    }
  };

  report(record: Reported, now: number, terms: Term[]) {
    const { code: of, amount, at } = record;
    const counted = this.#ids.get(record.request_id);
    const duplicate = counted !== undefined && counted > now - 40 * DAY;
    const isInTime = at >= now - 35 * DAY && at <= now + 5 * MINUTE;
    const meterOf = this.meters[of];
    if (!meterOf) {
      const reason = duplicate ? null : 'unknown_meter';
      return { code: of, accepted: duplicate, duplicate, reason, used: 0, limit: null, remaining: null };
    }
    const { limit, overage } = meterOf;
    const period = this.periodOf(of, isInTime ? at : now, terms);
    const isOver = limit !== null && this.used(of, period) + amount > limit;
    const refusals = [
      ['out_of_time', !isInTime],
      ['limit_reached', isOver && overage === 'refuse'],
    ] as const;
    const reason = duplicate ? null : (refusals.find(([, holds]) => holds)?.[0] ?? null);
    const isNew = !duplicate && reason === null;
    if (isNew) {
      this.#ids.set(record.request_id, now);
      this.#counted.push({ code: of, period, amount });
    }
    const used = this.used(of, period);
    const isFull = limit !== null && (reason === 'limit_reached' || (isNew && used >= limit));
    if (isFull) this.reached.add(`${of} ${period}`);
    const remaining = limit === null ? null : Math.max(limit - used, 0);
    return { code: of, accepted: reason === null, duplicate, reason, used, limit, remaining };
  }

  adjust(of: string, used: number, now: number, terms: Term[]) {
    const period = this.periodOf(of, now, terms);
    this.#counted.push({ code: of, period, amount: used - this.used(of, period) });
  }
}

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A licence that goes through the steps, with its second computation. */
class Life {
  now = START;
  readonly model = new Model();
  readonly license: License;

  constructor(license: License) {
    this.license = license;
  }

  terms = async (): Promise<Term[]> =>
    (await listTerms(t.db, this.license.id)).map(({ id, starts, ends }) => ({ id, starts: starts!, ends }));

  async take(one: Step): Promise<void> {
    const { id } = this.license;
    switch (one.kind) {
      case 'wait':
        this.now += one.minutes * MINUTE;
        t.clock.set(new Date(this.now));
        return;
      case 'meters': {
        this.model.meters = one.meters as Meters;
        const change = licenseUpdate.parse({ meters: one.meters });
        await asSystem(t, (scope) => changeLicense(scope, id, change));
        return;
      }
      case 'adjust': {
        if (!Object.hasOwn(this.model.meters, one.code)) return;
        this.model.adjust(one.code, one.used, this.now, await this.terms());
        const asked = { used: one.used, reason: 'prueba' };
        await asSystem(t, (scope) => adjustUsage(scope, id, one.code, asked));
        return;
      }
      case 'renew': {
        const renewal = VERBS.renew.body.parse({ expiry_days: 20, notify: false });
        await asSystem(t, (scope) => renewLicense(scope, id, renewal));
        return;
      }
      case 'housekeeping':
        await deletePastUsage(t.db, new Date(this.now));
        return;
      case 'report':
        await this.#report(one.records);
    }
  }

  async #report(sents: Extract<Step, { kind: 'report' }>['records']): Promise<void> {
    const terms = await this.terms();
    const records = sents.map(({ code: of, amount, id, ago }) => ({
      ...{ code: of, amount, request_id: `request-${id}` },
      at: this.now - (ago ?? 0) * MINUTE,
    }));
    const { status, body } = await t.call('POST', '/licenses/api/usage/', {
      token: null,
      body: {
        license_key: this.license.license_key,
        machine_id: 'caja-1',
        records: records.map(({ at, ...rest }) => ({ ...rest, at: new Date(at).toISOString() })),
      },
    });
    expect(status).toBe(200);
    expect(body.results).toMatchObject(records.map((record) => this.model.report(record, this.now, terms)));
  }

  async check(): Promise<void> {
    const terms = await this.terms();
    const { id } = this.license;
    const moment = { now: new Date(this.now), timeZone: ZONE };
    const rows = await usageOf(t.db, await getLicenseRow(t.db, id, moment.now, ZONE), moment);
    const { meters, periodOf } = this.model;
    const sums = Object.keys(meters).map((of) => [of, this.model.used(of, periodOf(of, this.now, terms))]);
    expect(Object.fromEntries(rows.map((row) => [row.code, row.used]))).toEqual(Object.fromEntries(sums));
    expect(await wrongUsage(t.db)).toBe(0);
    const events = await t.db
      .selectFrom('events')
      .select('id')
      .where('license_id', '=', id)
      .where('type', '=', 'license.usage_limit_reached')
      .execute();
    expect(events).toHaveLength(this.model.reached.size);
  }
}

test('for random reports, corrections, renewals and limits, each answer and each sum equals an independent computation (SELL-03)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
      t.clock.set(new Date(START));
      const life = new Life(await createLicense(t, { expiry_days: 20, grace_days: 300 }));
      await activate(t, life.license.license_key, 'caja-1');
      for (const one of steps) await life.take(one);
      await life.check();
    }),
    { numRuns: TRIES },
  );
}, 600_000);
