import { beforeAll, expect, test } from 'vitest';
import { validation } from '../../../contract/licenses/license-verdict.ts';
import { licenseCreate, licenseUpdate } from '../../../contract/licenses/licenses.ts';
import { VERBS } from '../../../contract/licenses/verbs/index.ts';
import { activation } from '../../../contract/programs/installations.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicenseType, createSoftware } from '../../../test/factories.ts';
import fc, { triesOf } from '../../../test/properties.ts';
import { runJob } from '../../../test/run-job.ts';
import { asSystem } from '../../../test/scope.ts';
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { activateInstallation, lockTypedLicense } from '../programs/activate-installation.ts';
import { startOverdueJob } from '../programs/start-overdue-job.ts';
import { findForValidation, validateLicense } from '../programs/validate-license.ts';
import { changeLicense } from './change-license.ts';
import { issueLicense } from './issue-license.ts';
import { findLicenseRow } from './licenses.queries.ts';
import { reinstateLicense } from './reinstate-license.ts';
import { renewLicense } from './renew-license.ts';
import { suspendLicense } from './suspend-license.ts';
import { undoRenewal } from './undo-renewal.ts';

/**
 * Random histories of licences that start at their issue or with their first activation, and include updates until a
 * day or without end (SELL-01, SELL-02). After each step, the licence and the answer to a program are compared with a
 * second computation. It was written from the specification, with whole days as numbers.
 */

/** MODEL_TRIES=500 takes minutes. */
const TRIES = Number(process.env.MODEL_TRIES ?? triesOf(12));
const DAY = 86_400_000;
/** México has had no daylight saving time since 2022. */
const BEHIND = 6 * 3_600_000;
const START = Date.parse('2026-03-02T16:00:00.000Z');

/** Local days as numbers since 1970. */
const dayOf = (instant: number) => Math.floor((instant - BEHIND) / DAY);
const endOf = (day: number) => (day + 1) * DAY + BEHIND - 1000;
const textOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);
const isoOf = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString());

/** The licence types: days, and days of updates. */
const TYPES = [
  { validity_days: 30, updates_days: 45 },
  { validity_days: 90, updates_days: null },
];
type Type = (typeof TYPES)[number];

type State = {
  status: 'active' | 'suspended';
  issued: number;
  /** Only while it waits: its length, the last day to start, and the days of updates that begin with the start. */
  waits: { length: number; until: number; updates: number | null } | null;
  end: number | null;
  /** The last day of updates; null: no end. */
  updates: number | null;
  type: Type | null;
};

/** The second computation. Each step returns whether it is possible, and changes the expected state. */
class Model {
  state: State;
  /** The states before each renewal that can be undone. */
  readonly before: State[] = [];

  constructor(state: State) {
    this.state = state;
  }

  #change(values: Partial<State>): true {
    this.state = { ...this.state, ...values };
    return true;
  }

  /** A change after which earlier renewals cannot be undone. */
  #settle(values: Partial<State>): true {
    this.before.length = 0;
    return this.#change(values);
  }

  #startAt(instant: number): Partial<State> {
    const { waits, updates } = this.state;
    if (waits === null) return {};
    const first = dayOf(instant);
    const days = waits.updates === null ? updates : first + waits.updates;
    return { waits: null, end: endOf(first + waits.length), updates: days };
  }

  reason(now: number, released: number | null): string | null {
    const { status, end, updates } = this.state;
    if (status === 'suspended') return 'suspended';
    if (end !== null && end < now) return 'expired';
    return updates !== null && released !== null && released > updates ? 'updates_ended' : null;
  }

  activate(now: number, released: number | null): boolean {
    const started = this.state.waits ? this.#startAt(Math.min(now, this.state.waits.until)) : {};
    const { status, end, updates } = { ...this.state, end: started.end ?? this.state.end };
    if (status === 'suspended' || (end !== null && end < now)) return false;
    if (updates !== null && released !== null && released > updates) return false;
    return this.#change(started);
  }

  minute(now: number): boolean {
    const { waits } = this.state;
    return waits !== null && waits.until < now ? this.#settle(this.#startAt(waits.until)) : true;
  }

  renew(now: number, days: number): boolean {
    const { status, waits, end, updates, type } = this.state;
    if (status === 'suspended' || waits !== null || end === null) return false;
    const first = dayOf(end < now ? now : end);
    const moved = type?.updates_days == null ? null : first + type.updates_days;
    const both = updates === null || moved === null ? null : Math.max(updates, moved);
    this.before.push(this.state);
    return this.#change({ end: endOf(first + days), updates: type === null ? updates : both });
  }

  maintain(now: number, days: number | null): boolean {
    const { status, waits, updates, type } = this.state;
    if (status === 'suspended' || waits !== null || updates === null) return false;
    this.before.push(this.state);
    return this.#change({ updates: Math.max(updates, dayOf(now)) + (days ?? type?.updates_days ?? 365) });
  }

  undo(): boolean {
    const before = this.before.pop();
    return before === undefined ? false : this.#change(before);
  }

  suspend(): boolean {
    return this.state.status === 'active' && this.#settle({ status: 'suspended' });
  }

  reinstate(): boolean {
    return this.state.status === 'suspended' && this.#settle({ status: 'active' });
  }

  putUpdates(day: number | null): boolean {
    const { waits, updates } = this.state;
    // A save that changes no field does not prevent undoing a renewal.
    if (waits === null && day === updates) return true;
    return this.#settle({ updates: day, waits: waits && { ...waits, updates: null } });
  }

  putLength(length: number): boolean {
    const { waits } = this.state;
    return waits === null ? true : this.#settle({ waits: { ...waits, length } });
  }

  putDate(day: number): boolean {
    if (this.state.waits === null) return true;
    return this.#settle({ ...this.#startAt(this.state.issued), end: endOf(day) });
  }
}

const days = fc.integer({ min: 1, max: 120 });
const offset = fc.option(fc.integer({ min: -40, max: 80 }), { freq: 4 });
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 700 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('activate' as const), machine: fc.nat(2), released: offset }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('minute' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('renew' as const), days }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('maintain' as const), days: fc.option(days) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('suspend' as const, 'reinstate' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('updates' as const), day: offset }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('length' as const), days }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('date' as const), days }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const birth = fc.record({
  mode: fc.constantFrom('issue' as const, 'first_activation' as const),
  type: fc.option(fc.nat(1)),
  length: fc.option(days, { freq: 5 }),
  activateBy: fc.integer({ min: 1, max: 60 }),
  updates: fc.option(fc.integer({ min: -20, max: 60 }), { freq: 2 }),
});
type Birth = typeof birth extends fc.Arbitrary<infer One> ? One : never;

let t: TestApp;
let ground: { client: number; software: number; types: number[] };
beforeAll(async () => {
  t = await createTestApp({ now: new Date(START).toISOString(), closeAfterTest: false });
  const types = [];
  for (const type of TYPES) types.push((await createLicenseType(t, type)).id);
  ground = { client: (await createClient(t)).id, software: (await createSoftware(t)).id, types };
  return t.close;
});

test('a licence and the answers to its program equal an independent computation, for random sequences of actions (SELL-01, SELL-02)', async () => {
  await fc.assert(
    fc.asyncProperty(birth, fc.array(step, { minLength: 4, maxLength: 25 }), async (born, steps) => {
      t.clock.set(new Date(START));
      const { id, key, model } = await issue(born);
      await compare(id, key, model);
      for (const one of steps) {
        if (one.do === 'wait') t.clock.advance(one.hours * 3_600_000 + 61_007);
        else expect([one, await take(id, key, one)]).toEqual([one, expected(model, one)]);
        await compare(id, key, model);
      }
    }),
    { numRuns: TRIES },
  );
}, 3_600_000);

const nowOf = () => t.context.now().getTime();

/** A licence without an end always starts at its issue. */
async function issue({ mode, type, length, activateBy, updates }: Birth) {
  const catalogue = type === null ? null : TYPES[type]!;
  const start_mode = length === null ? 'issue' : mode;
  const today = dayOf(nowOf());
  const values = licenseCreate.parse({
    ...{ client: ground.client, software: ground.software, price: 10, license_type: 'premium', start_mode },
    ...{ max_installations: 3, activate_by_days: activateBy, expiry_days: length },
    ...(type !== null && { license_type_config: ground.types[type] }),
    ...(updates !== null && { updates_until: textOf(today + updates) }),
  });
  const license = await asSystem(t, (scope) => issueLicense(scope, values, { notify: false }));
  const ofType = catalogue?.updates_days ?? null;
  const isWaiting = start_mode === 'first_activation';
  const fromIssue = ofType === null || isWaiting ? null : today + ofType;
  const model = new Model({
    status: 'active',
    issued: nowOf(),
    waits: isWaiting
      ? { length: length!, until: endOf(today + activateBy), updates: updates === null ? ofType : null }
      : null,
    end: isWaiting || length === null ? null : endOf(today + length),
    updates: updates === null ? fromIssue : today + updates,
    type: catalogue,
  });
  return { id: license.id, key: license.license_key, model };
}

/**
 * Runs a step.
 * @returns whether it was possible
 */
async function take(id: number, key: string, one: Exclude<Step, { do: 'wait' }>): Promise<boolean> {
  const today = dayOf(nowOf());
  const put = (values: object) => (scope: Scope) => changeLicense(scope, id, licenseUpdate.parse(values));
  const renew = (values: object) => (scope: Scope) =>
    renewLicense(scope, id, VERBS.renew.body.parse({ notify: false, price: 5, ...values }));
  const quiet = { notify: false, reason: '' };
  const waits = (await read(id)).pending_start;
  const does = {
    activate: () => async (scope: Scope) => {
      const { machine, released } = one as Extract<Step, { do: 'activate' }>;
      const released_on = released === null ? undefined : textOf(today + released);
      const asked = activation.parse({ license_key: key, machine_id: `m${machine}`, released_on });
      return activateInstallation(scope, asked, (await lockTypedLicense(scope.tx, key))!);
    },
    renew: () => renew({ expiry_days: (one as { days: number }).days }),
    maintain: () => {
      const { days: typed } = one as Extract<Step, { do: 'maintain' }>;
      return renew({ kind: 'maintenance', ...(typed !== null && { updates_days: typed }) });
    },
    undo: () => (scope: Scope) => undoRenewal(scope, id),
    suspend: () => (scope: Scope) => suspendLicense(scope, id, quiet),
    reinstate: () => (scope: Scope) => reinstateLicense(scope, id, { extend: false, notify: false }),
    updates: () => {
      const { day } = one as Extract<Step, { do: 'updates' }>;
      return put({ updates_until: day === null ? null : textOf(today + day) });
    },
    length: () => put(waits ? { expiry_days: (one as { days: number }).days } : {}),
    date: () => put(waits ? { expiry_date: textOf(today + (one as { days: number }).days) } : {}),
  };
  if (one.do === 'minute') {
    await runJob(t.context, startOverdueJob);
    return true;
  }
  try {
    const work: (scope: Scope) => Promise<unknown> = does[one.do]();
    await asSystem(t, work);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function expected(model: Model, one: Exclude<Step, { do: 'wait' }>): boolean {
  const now = nowOf();
  const today = dayOf(now);
  switch (one.do) {
    case 'activate':
      return model.activate(now, one.released === null ? null : today + one.released);
    case 'minute':
      return model.minute(now);
    case 'renew':
      return model.renew(now, one.days);
    case 'maintain':
      return model.maintain(now, one.days);
    case 'updates':
      return model.putUpdates(one.day === null ? null : today + one.day);
    case 'length':
      return model.putLength(one.days);
    case 'date':
      return model.putDate(today + one.days);
    default:
      return model[one.do]();
  }
}

const read = async (id: number) =>
  (await findLicenseRow(t.db, id, t.context.now(), 'America/Mexico_City')) ?? expect.unreachable();

async function compare(id: number, license_key: string, model: Model): Promise<void> {
  const { waits, end, updates, issued, status } = model.state;
  const { expiry_days, ...license } = await read(id);
  expect(license).toMatchObject({
    status,
    pending_start: waits !== null,
    activate_by: isoOf(waits?.until ?? null),
    expiry_date: isoOf(end),
    updates_until: updates === null ? null : textOf(updates),
  });
  const counted = end === null ? null : dayOf(end) - dayOf(issued);
  expect(expiry_days).toBe(waits?.length ?? counted);
  const now = nowOf();
  for (const released of [null, dayOf(now), updates, updates === null ? null : updates + 1]) {
    const released_on = released === null ? undefined : textOf(released);
    const body = { license_key, machine_id: 'otra', released_on };
    const found = await findForValidation(t.db, license_key, body.machine_id);
    const { answer } = await validateLicense(t.context, validation.parse(body), found);
    const reason = model.reason(now, released);
    // All seats may be taken by then.
    const said = answer.reason === 'installation_limit' ? null : answer.reason;
    expect([released_on, said, answer.pending_start ?? false]).toEqual([released_on, reason, waits !== null]);
  }
}
