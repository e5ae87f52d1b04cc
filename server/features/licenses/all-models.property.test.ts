import { expect, test } from 'vitest';
import type { UsageRow } from '../../../contract/licenses/meters.ts';
import { DEMO_ACCOUNT } from '../../../contract/people/auth.ts';
import { createTestApp, signInAs, type TestApp } from '../../../test/app.ts';
import { createClient, createLicenseType, createSoftware } from '../../../test/factories.ts';
import fc, { triesOf } from '../../../test/properties.ts';
import { runJob } from '../../../test/run-job.ts';
import { startOverdueJob } from '../programs/start-overdue-job.ts';

/**
 * Random histories of a vendor that uses all ways of selling at once: yearly, permanent with updates, from the first
 * activation, by usage, trials without an account, batches. After each step, validity, revenue, due renewals and
 * usage must equal a second computation (SELL-01 to SELL-05). Single ways of selling are tested in
 * sold-models.property.test.ts and usage.property.test.ts.
 */

/** MODEL_TRIES=200 takes minutes. */
const TRIES = Number(process.env.MODEL_TRIES ?? triesOf(8));
const DAY = 86_400_000;
/** México has had no daylight saving time since 2022. */
const BEHIND = 6 * 3_600_000;
const START = Date.parse('2026-03-02T16:00:00.000Z');
const DUE_DAYS = 30;
const METER_LIMIT = 10;

const dayOf = (instant: number) => Math.floor((instant - BEHIND) / DAY);
const endOf = (day: number) => (day + 1) * DAY + BEHIND - 1000;
const textOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

/** The offered types: days, days of updates, whether they wait for the first activation, and price. */
const MODELS = {
  annual: { validity_days: 40, updates_days: null, waits: false, price: 100 },
  updates: { validity_days: 60, updates_days: 20, waits: false, price: 70 },
  waiting: { validity_days: 25, updates_days: 30, waits: true, price: 60 },
  metered: { validity_days: 50, updates_days: null, waits: false, price: 40 },
  trial: { validity_days: 15, updates_days: null, waits: false, price: 50 },
} as const;
type ModelName = keyof typeof MODELS;
const SOLD = ['annual', 'updates', 'waiting', 'metered'] as const;
const ACTIVATE_BY = 35;
const MAINTENANCE = { days: 45, price: 30 };

type Term = {
  price: number;
  isMaintenance: boolean;
  isFree: boolean;
  before: Pick<Life, 'end' | 'updates' | 'model' | 'status' | 'price'>;
};
type Life = {
  id: number;
  key: string;
  model: ModelName;
  status: 'active' | 'trial' | 'suspended' | 'cancelled';
  /** Whether it was a trial before its suspension. */
  wasTrial: boolean;
  price: number;
  waitsUntil: number | null;
  end: number | null;
  updates: number | null;
  terms: Term[];
  /** The index of the first term that can be undone. */
  undoFrom: number;
  used: number;
  seated: boolean;
};

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 400 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sell' as const), model: fc.constantFrom(...SOLD) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('sellMany' as const), quantity: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('try' as const), machine: fc.nat(2) }) },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'activate',
        'use',
        'renew',
        'maintain',
        'undo',
        'suspend',
        'reinstate',
        'cancel' as const,
      ),
      whose: fc.nat(),
      amount: fc.integer({ min: 1, max: 6 }),
    }),
  },
);

type Ground = { client: number; software: number; code: string; types: Record<ModelName, number> };
let t: TestApp;

const nowOf = () => t.context.now().getTime();
const post = (path: string, body: object, token?: null) =>
  t.call('POST', `/licenses/api/${path}`, { body, ...(token === null && { token }) });

async function makeGround(): Promise<Ground> {
  const types = {} as Record<ModelName, number>;
  for (const [name, { validity_days, updates_days, waits, price }] of Object.entries(MODELS)) {
    const made = await createLicenseType(t, {
      ...{ name, base_price: price, validity_days, updates_days, max_installations: 1 },
      start_mode: waits ? 'first_activation' : 'issue',
      ...(waits && { activate_by_days: ACTIVATE_BY }),
      ...(name === 'metered' && {
        meters: { docs: { limit: METER_LIMIT, period: 'never', overage: 'refuse' } },
      }),
    });
    types[name as ModelName] = made.id;
  }
  const software = await createSoftware(t, { trial_type: types.trial });
  return { client: (await createClient(t)).id, software: software.id, code: software.code, types };
}

/** The expected state of a new licence. */
function born(id: number, key: string, model: ModelName): Life {
  const { validity_days, updates_days, waits, price } = MODELS[model];
  const today = dayOf(nowOf());
  const isTrial = model === 'trial';
  const life: Life = {
    ...{ id, key, model, wasTrial: isTrial, price, terms: [], undoFrom: 1, used: 0, seated: isTrial },
    status: isTrial ? 'trial' : 'active',
    waitsUntil: waits ? endOf(today + ACTIVATE_BY) : null,
    end: waits ? null : endOf(today + validity_days),
    updates: waits || updates_days === null ? null : today + updates_days,
  };
  life.terms.push({ price, isMaintenance: false, isFree: isTrial, before: { ...life } });
  return life;
}

class Vendor {
  readonly histories: Life[] = [];
  readonly trials = new Map<number, Life>();
  readonly #ground: Ground;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  async sell(model: (typeof SOLD)[number]): Promise<void> {
    const { client, software, types } = this.#ground;
    const { price, validity_days: expiry_days } = MODELS[model];
    const body = {
      client,
      software,
      license_type: 'premium',
      license_type_config: types[model],
      price,
      expiry_days,
    };
    const { status, body: made } = await post('licenses/', { ...body, notify: false });
    expect(status).toBe(201);
    this.histories.push(born(made.id, made.license_key, model));
  }

  async sellMany(quantity: number): Promise<void> {
    const { client, software, types } = this.#ground;
    const { price, validity_days: expiry_days } = MODELS.annual;
    const type = { license_type: 'premium', license_type_config: types.annual };
    const body = { client, software, ...type, price, expiry_days, quantity };
    const { status, body: made } = await post('licenses/batch/', body);
    expect([status, made.licenses.length]).toEqual([201, quantity]);
    for (const { id, license_key } of made.licenses) this.histories.push(born(id, license_key, 'annual'));
  }

  async try(machine: number): Promise<void> {
    const answer = await post(
      'trial/',
      { software: this.#ground.code, machine_id: `trial-${machine}` },
      null,
    );
    const known = this.trials.get(machine);
    if (known === undefined) {
      expect(answer.status).toBe(201);
      const { body } = await t.call('GET', `/licenses/api/licenses/?license_key=${answer.body.license_key}`);
      const life = born(body.results[0].id, answer.body.license_key, 'trial');
      this.trials.set(machine, life);
      this.histories.push(life);
      return;
    }
    // A machine gets only one trial, whatever its state; after the trial was bought, a machine id alone gives no
    // access to it.
    const isTrial = known.model === 'trial';
    expect([answer.status, answer.body.license_key ?? null]).toEqual(
      isTrial ? [200, known.key] : [409, null],
    );
  }

  /** Starts waiting licences whose day has passed, as the job does every minute. */
  async minute(): Promise<void> {
    await runJob(t.context, startOverdueJob);
    for (const life of this.histories) {
      if (life.waitsUntil !== null && life.waitsUntil < nowOf() && life.status !== 'cancelled') {
        this.#start(life, life.waitsUntil);
      }
    }
  }

  #start(life: Life, at: number): void {
    const { validity_days, updates_days } = MODELS[life.model];
    life.waitsUntil = null;
    life.end = endOf(dayOf(at) + validity_days);
    if (updates_days !== null) life.updates = dayOf(at) + updates_days;
    life.undoFrom = life.terms.length;
  }

  reason(life: Life, released: number | null): string | null {
    if (life.status === 'suspended' || life.status === 'cancelled') return life.status;
    if (life.end !== null && life.end < nowOf()) return 'expired';
    return released !== null && life.updates !== null && released > life.updates ? 'updates_ended' : null;
  }

  async activate(life: Life): Promise<void> {
    const { status } = await post('installations/', { license_key: life.key, machine_id: 'caja' }, null);
    const isOpen = this.reason(life, null) === null;
    // The only seat of a trial is taken by the machine that started it.
    const isPossible = isOpen && (!this.#isOfTrial(life) || life.model !== 'trial');
    if (isOpen && life.waitsUntil !== null) this.#start(life, nowOf());
    if (this.#isOfTrial(life)) {
      expect([200, 201].includes(status)).toBe(false);
      return;
    }
    expect([life.model, [200, 201].includes(status)]).toEqual([life.model, isPossible]);
    if (isPossible) life.seated = true;
  }

  #isOfTrial = (life: Life): boolean => [...this.trials.values()].includes(life);

  async use(life: Life, amount: number): Promise<void> {
    const request_id = crypto.randomUUID();
    const records = [{ code: 'docs', amount, request_id }];
    const machine_id = this.#isOfTrial(life)
      ? `trial-${[...this.trials].find(([, one]) => one === life)![0]}`
      : 'caja';
    const { status, body } = await post('usage/', { license_key: life.key, machine_id, records }, null);
    if (this.reason(life, null) !== null || !life.seated) {
      expect([life.status, status]).not.toEqual([life.status, 200]);
      return;
    }
    expect(status).toBe(200);
    const isMetered = life.model === 'metered';
    const fits = isMetered && life.used + amount <= METER_LIMIT;
    if (fits) life.used += amount;
    expect(body.results[0]).toMatchObject({
      accepted: fits,
      reason: fits ? null : isMetered ? 'limit_reached' : 'unknown_meter',
    });
  }

  /** Stores the values before a sale, so that it can be undone. */
  #sold(life: Life, price: number, isMaintenance: boolean): void {
    const { end, updates, model, status } = life;
    life.terms.push({
      price,
      isMaintenance,
      isFree: false,
      before: { end, updates, model, status, price: life.price },
    });
  }

  async renew(life: Life): Promise<void> {
    const isTrial = life.model === 'trial';
    const { price: own, validity_days: length } = MODELS[life.model];
    const asked = isTrial
      ? { license_type_config: this.#ground.types.annual }
      : { price: own, expiry_days: length };
    const { status } = await post(`licenses/${life.id}/renew/`, { notify: false, ...asked });
    const isPossible = ['active', 'trial'].includes(life.status) && life.end !== null;
    expect([life.model, life.status, status === 200]).toEqual([life.model, life.status, isPossible]);
    if (!isPossible) return;
    const model = isTrial ? 'annual' : life.model;
    const { price, validity_days, updates_days } = MODELS[model];
    this.#sold(life, price, false);
    const first = dayOf(Math.max(life.end!, nowOf()));
    if (life.updates !== null) {
      life.updates = updates_days === null ? null : Math.max(life.updates, first + updates_days);
    }
    Object.assign(life, {
      model,
      status: 'active',
      wasTrial: false,
      price,
      end: endOf(first + validity_days),
    });
  }

  async maintain(life: Life): Promise<void> {
    const body = {
      kind: 'maintenance',
      price: MAINTENANCE.price,
      updates_days: MAINTENANCE.days,
      notify: false,
    };
    const { status } = await post(`licenses/${life.id}/renew/`, body);
    const isOpen = ['active', 'trial'].includes(life.status) && life.waitsUntil === null;
    const isPossible = isOpen && life.updates !== null;
    expect([life.model, status === 200]).toEqual([life.model, isPossible]);
    if (!isPossible) return;
    this.#sold(life, MAINTENANCE.price, true);
    life.updates = Math.max(life.updates!, dayOf(nowOf())) + MAINTENANCE.days;
  }

  async undo(life: Life): Promise<void> {
    const { status } = await post(`licenses/${life.id}/undo_renewal/`, {});
    const isPossible = life.terms.length > life.undoFrom;
    expect([life.model, life.terms.length, status === 200]).toEqual([
      life.model,
      life.terms.length,
      isPossible,
    ]);
    if (isPossible) Object.assign(life, life.terms.pop()!.before);
  }

  async suspend(life: Life): Promise<void> {
    const { status } = await post(`licenses/${life.id}/suspend/`, { reason: 'No pagó', notify: false });
    const isPossible = ['active', 'trial'].includes(life.status);
    expect(status === 200).toBe(isPossible);
    if (isPossible)
      Object.assign(life, {
        wasTrial: life.status === 'trial',
        status: 'suspended',
        undoFrom: life.terms.length,
      });
  }

  async reinstate(life: Life): Promise<void> {
    const { status } = await post(`licenses/${life.id}/reinstate/`, { notify: false });
    const isPossible = life.status === 'suspended';
    expect(status === 200).toBe(isPossible);
    if (isPossible)
      Object.assign(life, { status: life.wasTrial ? 'trial' : 'active', undoFrom: life.terms.length });
  }

  async cancel(life: Life): Promise<void> {
    const { status } = await post(`licenses/${life.id}/cancel/`, { reason: 'Se fue', notify: false });
    const isPossible = life.status !== 'cancelled';
    expect(status === 200).toBe(isPossible);
    if (isPossible) Object.assign(life, { status: 'cancelled', undoFrom: life.terms.length });
  }

  async compare(): Promise<void> {
    const today = dayOf(nowOf());
    await this.#compareMoney(today);
    const { body } = await t.call('GET', `/licenses/api/licenses/?expiring_within=${DUE_DAYS}&page_size=100`);
    const isDue = ({ status, end }: Life) =>
      (status === 'active' || status === 'trial') &&
      end !== null &&
      end >= nowOf() &&
      dayOf(end) <= today + DUE_DAYS;
    const due = this.histories.filter((life) => life.status === 'active' && isDue(life)).map(({ id }) => id);
    const said = body.results.filter(({ status }: { status: string }) => status === 'active');
    expect(said.map(({ id }: { id: number }) => id).sort()).toEqual(due.sort());
    for (const life of this.histories) await this.#compareLife(life, today);
  }

  /** Terms of cancelled licences, and terms that nobody paid for, are no revenue. */
  async #compareMoney(today: number): Promise<void> {
    const period = `from=${textOf(dayOf(START))}&to=${textOf(today)}`;
    const { body } = await t.call('GET', `/licenses/api/reports/revenue/?${period}&currency=MXN`);
    const counted = this.histories.flatMap(({ status, terms }) =>
      status === 'cancelled' ? [] : terms.filter(({ isFree }) => !isFree),
    );
    const sum = (terms: Term[]) => terms.reduce((total, { price }) => total + price, 0);
    const { total = 0, maintenance = 0, count = 0 } = body.totals[0] ?? {};
    expect({ total, maintenance, count }).toEqual({
      total: sum(counted),
      maintenance: sum(counted.filter(({ isMaintenance }) => isMaintenance)),
      count: counted.length,
    });
  }

  async #compareLife(life: Life, today: number): Promise<void> {
    const { model, key, id } = life;
    const license = await t.call('GET', `/licenses/api/licenses/${id}/`);
    expect([model, license.body.status, license.body.updates_until]).toEqual([
      model,
      life.status,
      life.updates === null ? null : textOf(life.updates),
    ]);
    for (const released of [null, life.updates === null ? today : life.updates + 1]) {
      const asked = { license_key: key, machine_id: 'otro' };
      const { body } = await post(
        'license/validate/',
        { ...asked, ...(released !== null && { released_on: textOf(released) }) },
        null,
      );
      // Another machine may have the only seat.
      const said = body.reason === 'installation_limit' ? null : body.reason;
      expect([model, life.status, released, said]).toEqual([
        model,
        life.status,
        released,
        this.reason(life, released),
      ]);
    }
    if (model !== 'metered') return;
    const usage = await t.call<{ results: UsageRow[] }>('GET', `/licenses/api/licenses/${id}/usage/`);
    expect(usage.body.results).toMatchObject([
      { code: 'docs', used: life.used, remaining: METER_LIMIT - life.used },
    ]);
  }
}

test('validation, counts, due amounts and usage equal an independent computation, for random vendors of all licence models', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 18 }), async (steps) => {
      const own = await createTestApp({ now: new Date(START).toISOString(), closeAfterTest: false });
      t = own;
      try {
        const vendor = new Vendor(await makeGround());
        for (const one of steps) {
          if (one.do === 'wait') {
            t.clock.advance(one.hours * 3_600_000 + 61_007);
            // A session is valid for hours, and this history takes months.
            t.token = await signInAs(t, DEMO_ACCOUNT.username, DEMO_ACCOUNT.password);
            await vendor.minute();
          } else if (one.do === 'sell') await vendor.sell(one.model);
          else if (one.do === 'sellMany') await vendor.sellMany(one.quantity);
          else if (one.do === 'try') await vendor.try(one.machine);
          else if (vendor.histories.length > 0) {
            const life = vendor.histories[one.whose % vendor.histories.length]!;
            await vendor[one.do as 'use'](life, one.amount);
          }
          await vendor.compare();
        }
      } finally {
        await own.close();
      }
    }),
    { numRuns: TRIES },
  );
}, 3_600_000);
