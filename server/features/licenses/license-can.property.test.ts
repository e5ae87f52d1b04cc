import { beforeAll, expect, test } from 'vitest';
import type { LicenseVerb } from '../../../contract/licenses/license-can.ts';
import { LICENSE_STATUSES } from '../../../contract/licenses/licenses.fields.ts';
import { licenseCreate, licenseUpdate } from '../../../contract/licenses/licenses.ts';
import { RENEWAL_KINDS } from '../../../contract/licenses/verbs/definition.ts';
import { VERBS } from '../../../contract/licenses/verbs/index.ts';
import { ROLE_PERMISSIONS } from '../../../contract/people/permissions.ts';
import { activation } from '../../../contract/programs/installations.ts';
import { licenseFileRequest } from '../../../contract/programs/license-file.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { POSTGRES_AT_NIGHT } from '../../../test/at-night.ts';
import { createClient, createLicenseType, createSoftware } from '../../../test/factories.ts';
import fc, { triesOf } from '../../../test/properties.ts';
import { asSystem } from '../../../test/scope.ts';
import { AppError } from '../../errors.ts';
import { deleteRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { activateInstallation, lockTypedLicense } from '../programs/activate-installation.ts';
import { issueFile } from '../programs/issue-file.ts';
import { changeLicense } from './change-license.ts';
import { issueLicense } from './issue-license.ts';
import { licenseRecord } from './license.record.ts';
import { withVerbs } from './license-can.ts';
import { LICENSE_VERBS } from './license-verbs.ts';
import { findLicenseRow } from './licenses.queries.ts';
import { resendLicenseMail } from './send-license-mail.ts';
import { undoRenewal } from './undo-renewal.ts';

/**
 * What a licence lists in `can` is compared with what its calls answer, after each step of random histories. Each call
 * runs in the same state, because its transaction is rolled back.
 */

const START = '2026-03-02T16:00:00.000Z';
const HOUR_MS = 3_600_000;

const days = fc.integer({ min: 1, max: 60 });
const seldom = fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0);
const birth = fc.record({
  length: fc.option(days, { freq: 5 }),
  trial: seldom,
  floating: seldom,
  waits: seldom,
  updates: fc.boolean(),
  grace: fc.constantFrom(0, 10),
});
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 700 }) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('renew' as const, 'extend' as const), days }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...([
          'maintenance',
          'add_seats',
          'undo',
          'suspend',
          'reinstate',
          'transfer',
          'replace_key',
          'activate',
        ] as const),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('status' as const),
      status: fc.constantFrom(...LICENSE_STATUSES),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), days: fc.option(days) }) },
);
type Birth = typeof birth extends fc.Arbitrary<infer One> ? One : never;
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
type Work = (scope: Scope) => Promise<unknown>;

let t: TestApp;
let software: number;
let type: number;
let clients: [number, number];
beforeAll(async () => {
  t = await createTestApp({ now: START, closeAfterTest: false });
  software = (await createSoftware(t)).id;
  type = (await createLicenseType(t)).id;
  clients = [(await createClient(t)).id, (await createClient(t)).id];
  return t.close;
});

async function issue({ length, trial, floating, waits, updates, grace }: Birth): Promise<number> {
  const values = licenseCreate.parse({
    ...{ client: clients[0], software, price: 10, license_type: trial ? 'trial' : 'premium' },
    ...{ status: trial ? 'trial' : 'active', max_installations: 50, expiry_days: length, grace_days: grace },
    ...(floating && { seat_mode: 'floating', lease_minutes: 30 }),
    ...(waits && length !== null && { start_mode: 'first_activation', activate_by_days: 20 }),
    ...(updates && { updates_until: '2026-04-01' }),
  });
  return (await asSystem(t, (scope) => issueLicense(scope, values, { notify: false }))).id;
}

const renewal = (kind: (typeof RENEWAL_KINDS)[number], length = 30) =>
  VERBS.renew.body.parse({
    ...{ kind, price: 5, notify: false },
    ...(kind === 'renewal' && { expiry_days: length, license_type_config: type }),
  });

/** The calls behind each verb; it is possible if one of them is. */
function callsOf(id: number, client: number): Record<LicenseVerb, Work[]> {
  const quiet = { notify: false };
  const file = licenseFileRequest.parse({ machine_id: 'sin-red', machine_name: 'Caja', ttl_days: 3 });
  const other = clients.find((one) => one !== client);
  const extension = VERBS.extend.body.parse({ days: 3, reason: 'Paga el lunes', ...quiet });
  const seats = VERBS.add_seats.body.parse({ quantity: 1, price: 5, ...quiet });
  return {
    renew: RENEWAL_KINDS.map((kind) => (scope) => LICENSE_VERBS.renew.run(scope, id, renewal(kind))),
    add_seats: [(scope) => LICENSE_VERBS.add_seats.run(scope, id, seats)],
    extend: [(scope) => LICENSE_VERBS.extend.run(scope, id, extension)],
    suspend: [(scope) => LICENSE_VERBS.suspend.run(scope, id, VERBS.suspend.body.parse(quiet))],
    reinstate: [
      (scope) => LICENSE_VERBS.reinstate.run(scope, id, VERBS.reinstate.body.parse({ extend: true })),
    ],
    cancel: [(scope) => LICENSE_VERBS.cancel.run(scope, id, VERBS.cancel.body.parse(quiet))],
    transfer: [
      (scope) =>
        LICENSE_VERBS.transfer.run(scope, id, VERBS.transfer.body.parse({ client: other, ...quiet })),
    ],
    replace_key: [(scope) => LICENSE_VERBS.replace_key.run(scope, id, VERBS.replace_key.body.parse(quiet))],
    file: [(scope) => issueFile(scope, t.context.secrets, id, file)],
    update: [(scope) => changeLicense(scope, id, licenseUpdate.parse({ notes: 'otra' }))],
    delete: [(scope) => deleteRecord(scope, licenseRecord, id)],
    resend_email: [(scope) => resendLicenseMail(scope, id)],
  };
}

/** Runs a call; a refusal that depends on the licence's state is 409. */
async function isAllowed(work: Work): Promise<boolean> {
  try {
    await asSystem(t, work);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status === 409) return false;
    throw error;
  }
}

const UNDONE = new Error('undone');
/** The same, without a trace. */
const wouldBeAllowed = (work: Work): Promise<boolean> =>
  isAllowed(async (scope) => {
    await work(scope);
    throw UNDONE;
  }).catch((error) => {
    if (error === UNDONE) return true;
    throw error;
  });

const read = async (id: number) =>
  (await findLicenseRow(t.db, id, t.context.now(), t.context.config.timeZone)) ?? expect.unreachable();

async function take(id: number, one: Exclude<Step, { do: 'wait' }>): Promise<void> {
  const license = await read(id);
  const calls = callsOf(id, license.client.id);
  const put = (values: object) => (scope: Scope) => changeLicense(scope, id, licenseUpdate.parse(values));
  const { license_key } = license;
  const machine = activation.parse({ license_key, machine_id: 'caja-1' });
  const does: Record<Exclude<Step['do'], 'wait'>, () => Work> = {
    renew: () => (scope) =>
      LICENSE_VERBS.renew.run(scope, id, renewal('renewal', (one as { days: number }).days)),
    extend: () => calls.extend[0]!,
    maintenance: () => (scope) => LICENSE_VERBS.renew.run(scope, id, renewal('maintenance')),
    add_seats: () => calls.add_seats[0]!,
    undo: () => (scope) => undoRenewal(scope, id),
    activate: () => async (scope) =>
      activateInstallation(scope, machine, (await lockTypedLicense(scope.tx, license_key))!),
    suspend: () => calls.suspend[0]!,
    reinstate: () => calls.reinstate[0]!,
    transfer: () => calls.transfer[0]!,
    replace_key: () => calls.replace_key[0]!,
    cancel: () => calls.cancel[0]!,
    status: () => put({ status: (one as Extract<Step, { do: 'status' }>).status }),
    end: () => {
      const { days: length } = one as Extract<Step, { do: 'end' }>;
      return put(
        license.pending_start ? {} : { expiry_days: length, ...(length === null && { expiry_date: null }) },
      );
    },
  };
  // A refused step is a step too: it changes nothing. Programs are refused with 403.
  await asSystem(t, does[one.do]()).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

async function compare(id: number, counts: Map<string, number>): Promise<void> {
  const moment = { now: t.context.now(), timeZone: t.context.config.timeZone };
  const license = await read(id);
  const [shown] = await withVerbs(t.db, [license], ROLE_PERMISSIONS.admin, moment);
  const allowed: LicenseVerb[] = [];
  for (const [verb, calls] of Object.entries(callsOf(id, license.client.id)) as [LicenseVerb, Work[]][]) {
    const answers = [];
    for (const call of calls) answers.push(await wouldBeAllowed(call));
    if (answers.includes(true)) allowed.push(verb);
    const key = `${verb} ${answers.includes(true)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  expect(shown!.can).toEqual(allowed);
}

test('a licence lists exactly the actions that its calls do not refuse, after each step of random histories (LIFE-03, LIFE-05)', {
  tags: [POSTGRES_AT_NIGHT],
  timeout: 3_600_000,
}, async () => {
  const counts = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(birth, fc.array(step, { minLength: 3, maxLength: 10 }), async (born, steps) => {
      t.clock.set(new Date(START));
      const id = await issue(born);
      await compare(id, counts);
      for (const one of steps) {
        if (one.do === 'wait') t.clock.advance(one.hours * HOUR_MS);
        else await take(id, one);
        await compare(id, counts);
      }
    }),
    { numRuns: triesOf(75) },
  );
  // The histories reach both answers of each action that the state decides.
  const decided = Object.keys(callsOf(0, 0)).filter((verb) => !/update|delete/.test(verb));
  const missing = decided
    .flatMap((verb) => [`${verb} true`, `${verb} false`])
    .filter((key) => !counts.has(key));
  expect(missing).toEqual([]);
});
